/** The blocks as a list of options: what keyboards and screen readers work on, and the preview. */

const GROUP = 100;

export class BlockList {
  #list; #items; #cursor = 0; #selected = [];

  constructor(list, { texts, kinds, hidden }) {
    this.#list = list;
    this.#items = texts.map((text, block) => {
      const item = document.createElement("p");
      item.id = `block-${block}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.kind = kinds[block];
      if (hidden[block]) item.dataset.note = "hidden on the page";
      item.textContent = text;
      return item;
    });
    list.replaceChildren(...this.#groups());
  }

  /** In groups, because the browser lays out only those that are in sight. */
  #groups() {
    const groups = [];
    for (let start = 0; start < this.#items.length; start += GROUP) {
      const group = document.createElement("div");
      group.setAttribute("role", "presentation");
      group.append(...this.#items.slice(start, start + GROUP));
      groups.push(group);
    }
    return groups;
  }

  get cursor() { return this.#cursor; }

  get selected() { return this.#selected; }

  show(block, label, isChanged) {
    const item = this.#items[block];
    item.dataset.label = label;
    item.setAttribute("aria-checked", String(label !== "other"));
    item.classList.toggle("changed", isChanged);
  }

  /** Select blocks, the cursor on one of them. */
  select(blocks, cursor, { scroll = true } = {}) {
    if (!this.#items.length) return;
    for (const block of this.#selected) this.#items[block].setAttribute("aria-selected", "false");
    for (const block of blocks) this.#items[block].setAttribute("aria-selected", "true");
    this.#selected = blocks;
    this.#cursor = cursor;
    this.#list.setAttribute("aria-activedescendant", `block-${cursor}`);
    if (scroll) this.#reveal(this.#items[cursor]);
  }

  /** Scroll the list alone: on a phone, scrollIntoView would move the saved page out of sight. */
  #reveal(item) {
    const [{ top, bottom }, list] = [item.getBoundingClientRect(), this.#list.getBoundingClientRect()];
    if (top < list.top) this.#list.scrollTop += top - list.top;
    else if (bottom > list.bottom) this.#list.scrollTop += Math.min(top - list.top, bottom - list.bottom);
  }

  /** The next block in a direction that is shown; the same block at the end. */
  step(by) {
    const isShown = (item) => !this.#list.classList.contains("only-kept") || item.dataset.label !== "other";
    for (let block = this.#cursor + by; this.#items[block]; block += by) {
      if (isShown(this.#items[block])) return block;
    }
    return this.#cursor;
  }

  blockAt(target) {
    const item = target.closest?.("[role=option]");
    return item ? Number(item.id.slice("block-".length)) : null;
  }
}
