/** The labels of the blocks of a page, and their history. */

export const DROPPED = "other";

export function fromSpans(spans, count) {
  const labels = new Array(count).fill(DROPPED);
  for (const [start, stop, label] of spans) labels.fill(label, start, stop);
  return labels;
}

export function toSpans(labels) {
  const spans = [];
  for (let start = 0, stop; start < labels.length; start = stop) {
    stop = start + 1;
    while (labels[stop] === labels[start]) stop += 1;
    if (labels[start] !== DROPPED) spans.push([start, stop, labels[start]]);
  }
  return spans;
}

export class Labels {
  #past = []; #future = []; #whenChanged;

  /** whenChanged is told of every block whose label changes: block, label, label before. */
  constructor(machine, own, whenChanged) {
    this.machine = machine;
    this.now = own ?? machine.slice();
    this.#whenChanged = whenChanged;
  }

  get changed() {
    return this.now.reduce((sum, label, block) => sum + (label !== this.machine[block]), 0);
  }

  /** Give these blocks these labels. Returns whether anything has changed. */
  set(blocks, labelOf) {
    const step = [];
    for (const block of blocks) {
      const label = labelOf(block);
      if (label !== this.now[block]) step.push([block, this.now[block], label]);
    }
    if (step.length) {
      this.#past.push(step);
      this.#future = [];
      this.#take(step, 2);
    }
    return step.length > 0;
  }

  undo() { return this.#move(this.#past, this.#future, 1); }

  redo() { return this.#move(this.#future, this.#past, 2); }

  #move(from, to, side) {
    const step = from.pop();
    if (!step) return false;
    to.push(step);
    this.#take(step, side);
    return true;
  }

  #take(step, side) {
    for (const change of step) {
      const [block, before] = [change[0], this.now[change[0]]];
      this.now[block] = change[side];
      this.#whenChanged(block, change[side], before);
    }
  }
}
