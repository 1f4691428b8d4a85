/** The saved page in its frame. Nothing in it runs or reacts: a pane before it, as long as the page,
 *  is what is scrolled, and its glass takes the pointer, and asks which text is behind it. */

const MARK = "main-text";

export class Frame {
  #document; #window; #glass; #pane; #texts = [];

  /** The frame, once its page is loaded. status: where it is told that there is nothing to read. */
  static async of(frame, glass, status) {
    const isLoaded = () =>
      frame.contentDocument?.readyState === "complete" && frame.contentDocument.URL !== "about:blank";
    if (!isLoaded()) await new Promise((resolve) => { frame.addEventListener("load", resolve, { once: true }); });
    const shown = new Frame(frame, glass);
    if (!shown.#texts.length) status.textContent = "Without its scripts, which do not run here, this page has no text";
    return shown;
  }

  constructor(frame, glass) {
    this.#document = frame.contentDocument;
    this.#window = frame.contentWindow;
    [this.#glass, this.#pane] = [glass, glass.parentElement];
    this.#fit();
    new ResizeObserver(() => this.#fit()).observe(frame);
    this.#pane.addEventListener("scroll", () => this.#follow());
    for (const text of this.#document.querySelectorAll(MARK)) {
      (this.#texts[Number(text.getAttribute("b"))] ??= []).push(text);
    }
  }

  /** Give the pane as much to scroll as the page has. */
  #fit() {
    const root = this.#document.documentElement;
    const [wide, high] = [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
    this.#glass.style.width = `calc(100% + ${wide}px)`;
    this.#glass.style.height = `calc(100% + ${high}px)`;
    // From right to left, a page begins at its right, and its scroll bar is at the left.
    this.#pane.style.direction = getComputedStyle(root).direction;
    this.#lead();
  }

  #follow() {
    const { scrollLeft: left, scrollTop: top } = this.#pane;
    this.#window.scrollTo({ left, top, behavior: "instant" });
  }

  #lead() { this.#pane.scrollTo(this.#window.scrollX, this.#window.scrollY); }

  show(block, isKept, isChanged) {
    for (const text of this.#texts[block] ?? []) {
      text.setAttribute("k", isKept ? "1" : "0");
      text.toggleAttribute("changed", isChanged);
    }
  }

  mark(blocks, isMarked) {
    for (const block of blocks) {
      for (const text of this.#texts[block] ?? []) text.toggleAttribute("cursor", isMarked);
    }
  }

  scrollTo(block) {
    this.#texts[block]?.[0].scrollIntoView({ block: "nearest", behavior: "instant" });
    this.#lead();
  }

  /** The block at a point of the frame; null if there is no text. */
  blockAt(x, y) {
    const text = this.#document.elementFromPoint(x, y)?.closest(MARK);
    return text ? Number(text.getAttribute("b")) : null;
  }

  /** The blocks of the smallest element that holds more than these blocks; they lie side by side. */
  around(blocks) {
    let element = this.#texts[blocks[0]]?.[0];
    const count = new Set(blocks).size;
    while (element && element !== this.#document.documentElement) {
      element = element.parentElement;
      const inside = new Set(
        Array.from(element.querySelectorAll(MARK), (text) => Number(text.getAttribute("b"))),
      );
      if (inside.size > count && blocks.every((block) => inside.has(block))) return [...inside];
    }
    return blocks;
  }
}
