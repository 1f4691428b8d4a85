/** Main content: blocks are kept, dropped or labelled by pointer and keys, and saved at once. */

import { Frame } from "./frame.js";
import { DROPPED, Labels, fromSpans, toSpans } from "./labels.js";
import { BlockList } from "./list.js";
import { by, goOn, isTyped, own, scrollsPage, turnsPage, typeOfKey } from "./place.js";
import { Saver } from "./saving.js";
import { WordScore } from "./words.js";

const find = (id) => document.getElementById(id);
const [iframe, glass, pageType, shown] = [find("frame"), find("glass"), find("page_type"), find("blocks")];
const isVictor = find("tools").dataset.victor === "yes";
const labelOfKey = isVictor
  ? { h: "header", p: "paragraph", l: "list", c: "continuation", o: DROPPED }
  : { k: "kept", d: DROPPED };
const labelOfKind = { heading: "header", "list-item": "list" };

const [page, frame] = await Promise.all([
  fetch(own("blocks")).then((answer) => answer.json()),
  Frame.of(iframe, glass, find("status")),
]);

const count = page.texts.length;
const list = new BlockList(shown, page);
const score = new WordScore(page.texts);
const saver = new Saver(own("label"), find("status"));
const labels = new Labels(fromSpans(page.machine, count), page.spans && fromSpans(page.spans, count), show);

if (page.changed) find("status").textContent = "This page has changed since you labelled it: label it again";
let changes = labels.changed;
let isDone = page.done;
let anchorBlock = 0;
for (let block = 0; block < count; block += 1) {
  if (labels.machine[block] !== DROPPED) score.machineKeeps(block);
  if (labels.now[block] !== DROPPED) score.keep(block);
  draw(block, labels.now[block]);
}
tellScore();
anchorBlock = Math.max(0, labels.now.findIndex((given) => given !== DROPPED));
choose([anchorBlock], anchorBlock);
document.body.dataset.ready = "yes";

function draw(block, label) {
  const isChanged = label !== labels.machine[block];
  frame.show(block, label !== DROPPED, isChanged);
  list.show(block, label, isChanged);
}

function show(block, label, before) {
  if ((before === DROPPED) !== (label === DROPPED)) {
    if (label === DROPPED) score.drop(block); else score.keep(block);
  }
  const machine = labels.machine[block];
  changes += (label !== machine) - (before !== machine);
  draw(block, label);
}

function tellScore() {
  find("f1").textContent = score.f1.toFixed(3);
  find("words").textContent = score.size.toLocaleString("en");
  find("changes").textContent = changes.toLocaleString("en");
}

function save() {
  tellScore();
  return saver.save({
    by, done: isDone, page_type: pageType.value || null, spans: toSpans(labels.now), blocks: page.blocks,
  });
}

function label(blocks, given) {
  if (labels.set(blocks, typeof given === "string" ? () => given : given)) save();
}

/** What keeps a block: the machine's label if it has one, else one by the kind of block. */
const keptLabel = (block) => {
  const machine = labels.machine[block];
  if (machine !== DROPPED) return machine;
  return isVictor ? (labelOfKind[page.kinds[block]] ?? "paragraph") : "kept";
};

/** Drop the blocks if the first of them is kept, keep them if it is dropped. */
function toggle(blocks, first = blocks[0]) {
  if (first === undefined) return;
  label(blocks, labels.now[first] === DROPPED ? keptLabel : DROPPED);
}

function choose(blocks, cursor, options) {
  if (!count) return;
  frame.mark(list.selected, false);
  list.select(blocks, cursor, options);
  frame.mark(blocks, true);
}

function go(to, isSelecting) {
  const [from, anchor] = [Math.min(to, anchorBlock), Math.max(to, anchorBlock)];
  if (isSelecting) {
    choose(Array.from({ length: anchor - from + 1 }, (_, place) => from + place), to);
  } else {
    anchorBlock = to;
    choose([to], to);
  }
  frame.scrollTo(to);
}
const actions = {
  widen: () => choose(frame.around(list.selected), list.cursor),
  undo: () => labels.undo() && save(),
  redo: () => labels.redo() && save(),
  machine: () => label(labels.now.keys(), (block) => labels.machine[block]),
  done: () => {
    isDone = true;
    goOn(save());
  },
};

for (const button of document.querySelectorAll("#tools button")) {
  button.addEventListener("click", () => {
    if (button.dataset.label) label(list.selected, button.dataset.label);
    else actions[button.dataset.do]();
  });
}
pageType.addEventListener("change", () => save());
find("only-kept").addEventListener("change", (event) => shown.classList.toggle("only-kept", event.target.checked));

/** Clicking and dragging, on the page or in the list. blockAt tells which block is at an event. */
function paints(surface, blockAt) {
  let [from, latest] = [null, null];
  const blocksTo = (to) => {
    const [first, last] = from < to ? [from, to] : [to, from];
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  };
  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = blockAt(event);
    if (from === null) return;
    anchorBlock = latest = from;
    surface.setPointerCapture(event.pointerId);
  });
  surface.addEventListener("pointermove", (event) => {
    const to = from === null ? null : blockAt(event);
    if (to !== null && to !== latest) choose(blocksTo(latest = to), to);
  });
  surface.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const to = blockAt(event) ?? latest;
    const blocks = event.altKey ? frame.around([from]) : blocksTo(to);
    choose(blocks, to, { scroll: surface !== shown });
    toggle(blocks, from);
    from = null;
  });
  surface.addEventListener("pointercancel", () => { from = null; });
}
paints(glass, (event) => {
  const { left, top } = iframe.getBoundingClientRect();
  return frame.blockAt(event.clientX - left, event.clientY - top);
});
paints(shown, (event) => list.blockAt(document.elementFromPoint(event.clientX, event.clientY)));

const keys = {
  ArrowDown: (event) => go(list.step(1), event.shiftKey),
  ArrowUp: (event) => go(list.step(-1), event.shiftKey),
  Home: () => go(0),
  End: () => go(count - 1),
  " ": () => toggle(list.selected),
  Enter: actions.done,
  e: actions.widen,
  z: actions.undo,
  y: actions.redo,
  m: actions.machine,
  t: () => find("only-kept").click(),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey && "zy".includes(event.key)) actions[event.key === "z" ? "undo" : "redo"]();
  else if (isTyped(event)) return;
  else if (labelOfKey[event.key]) label(list.selected, labelOfKey[event.key]);
  else if (keys[event.key]) keys[event.key](event);
  else if (typeOfKey(event.key, [...pageType.options].slice(1))) {
    pageType.selectedIndex = Number(event.key);
    save();
  } else if (!scrollsPage(event.key) && !turnsPage(event.key, saver)) return;
  event.preventDefault();
});
