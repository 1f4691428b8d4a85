/** Genre and page type, mostly by one key a page. */

import { Frame } from "./frame.js";
import { by, genreOfType, goOn, own, scrollsPage, turnsPage, typeOfKey } from "./place.js";
import { Saver } from "./saving.js";

const iframe = document.getElementById("frame");
const form = document.getElementById("kinds");
const status = document.getElementById("status");
const saver = new Saver(own("label"), status);
const types = Array.from(form.elements.page_type, (input) => input.value);
const genreOfKey = { a: "article", l: "list-view", n: "neither" };

function choose(type) {
  form.elements.page_type.value = type;
  form.elements.genre.value = genreOfType[type] ?? form.elements.genre.value;
}

function finish() {
  const [page_type, genre] = [form.elements.page_type.value, form.elements.genre.value];
  if (!page_type) {
    status.textContent = "Choose a page type first";
    return;
  }
  goOn(saver.save({ by, done: true, page_type, genre: genre || null }));
}

form.addEventListener("change", (event) => {
  if (event.target.name === "page_type") choose(event.target.value);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  finish();
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const type = typeOfKey(event.key, types);
  if (type) {
    choose(type);
    finish();
  } else if (genreOfKey[event.key]) {
    form.elements.genre.value = genreOfKey[event.key];
  } else if (event.key === "Enter" && !event.target.matches("a, button")) {
    finish();
  } else if (!scrollsPage(event.key) && !turnsPage(event.key, saver)) {
    return;
  }
  event.preventDefault();
});

if (iframe) await Frame.of(iframe, document.getElementById("glass"), status);
