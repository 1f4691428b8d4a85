/** Where we are: the desk's data, and how to get to other pages. */

const desk = document.getElementById("desk");
const { root, person } = desk.dataset;

export const number = Number(desk.dataset.number);
export const genreOfType = JSON.parse(desk.dataset.genreOfType);
export const by = person;

const query = `by=${encodeURIComponent(person)}`;

/** The address of something of this page. */
export const own = (what) => `${root}/pages/${number}/${what}?${query}`;

let isLeaving = false;

/** Go to the next page once this one is saved. */
export async function goOn(saved) {
  isLeaving = true;
  try {
    await saved;
    location.assign(`${root}/next?${query}&after=${number}`);
  } catch (error) {
    isLeaving = false;
    throw error;
  }
}

// Keys that come before the next page does are meant for that one; Escape stays here.
addEventListener("keydown", (event) => {
  if (event.key === "Escape") isLeaving = false;
  if (!isLeaving) return;
  event.stopImmediatePropagation();
  if (!event.ctrlKey && !event.metaKey && !event.altKey) event.preventDefault();
}, { capture: true });
addEventListener("pageshow", () => { isLeaving = false; });

/** Keys that both tasks have. Returns whether the key was one of them. */
export function turnsPage(key, saver) {
  const link = { "[": "previous", "]": "following" }[key];
  if (link) {
    isLeaving = !saver.isBusy; // Else the browser asks first, and people may stay.
    document.getElementById(link).click();
  }
  return Boolean(link);
}

/** Keys that turn over the saved page, or its screenshot. Returns whether the key was one of them. */
export function scrollsPage(key) {
  const step = { PageDown: 0.9, PageUp: -0.9 }[key];
  const shown = document.getElementById("pane") ?? document.getElementById("page");
  if (step) shown.scrollBy(0, shown.clientHeight * step);
  return Boolean(step);
}

/** The page type of a number key, in the order of the choices; undefined for other keys. */
export const typeOfKey = (key, types) => (/^[1-9]$/.test(key) ? types[Number(key) - 1] : undefined);

/** Whether a key belongs to the browser: with a modifier, in a menu, or for what a click has left in
 *  focus. */
export const isTyped = ({ ctrlKey, metaKey, altKey, target, key }) =>
  ctrlKey || metaKey || altKey || target.matches("select")
  || (target.matches("button, a, summary") && [" ", "Enter"].includes(key))
  || (target.matches("input") && key === " ");
