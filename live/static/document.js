/** Shows the blocks of a document's page: what was kept of it, and what was dropped. */

import { foreign, made, setText } from "./view.js";
import { count } from "./words.js";

const told = document.getElementById("told");
const shown = document.getElementById("blocks");

/** Blocks that follow each other and were kept, or dropped, together. */
function runsOf(blocks) {
  const runs = [];
  for (const [text, elements, isKept] of blocks) {
    if (runs.at(-1)?.isKept !== isKept) runs.push({ isKept, blocks: [] });
    runs.at(-1).blocks.push({ text, elements });
  }
  return runs;
}

/** The words say what the colours say, to those who do not see them. */
function drawn({ isKept, blocks }) {
  const label = made("h3", "", `${isKept ? "Kept" : "Dropped"}: ${count(blocks.length)} ${blocks.length === 1 ? "block" : "blocks"}`);
  const lines = blocks.map(({ text, elements }) => {
    const words = made(isKept ? "ins" : "del", "", foreign(text));
    const isHeading = /^h[1-6]$/.test(elements.at(-1));
    return made("p", isHeading ? "heading" : "", made("code", "", elements.map((name) => `<${name}>`).join(" ")), words);
  });
  return made("div", isKept ? "run is-kept" : "run is-dropped", label, ...lines);
}

async function load() {
  const answer = await fetch(document.querySelector("main").dataset.blocks);
  if (!answer.ok) throw new Error(await answer.text());
  const { blocks, is_whole: isWhole, why } = await answer.json();
  if (why) throw new Error(why);
  shown.append(...runsOf(blocks).map(drawn));
  const kept = blocks.filter(([, , isKept]) => isKept).length;
  setText(told, `${count(kept)} of ${isWhole ? "" : "the first "}${count(blocks.length)} blocks were kept.`);
}

load().catch((error) => setText(told, `Not shown: ${error.message}`)).finally(() => {
  document.body.dataset.ready = "yes";
});
