/** Puts values into the page. Everything is text: nothing that pages say becomes markup. */

/** An element with a class and children, which are elements or texts. */
export function made(name, className, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Text of a page, which keeps its direction to itself. */
export const foreign = (text) => made("bdi", "", text);

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Keeps the children of an element in step with items, so that focus stays where it is.
 *
 * keyOf: tells items apart. make: an element for a new one. update: writes the item into it.
 */
export function sync(parent, items, keyOf, make, update) {
  const known = new Map(Array.from(parent.children, (child) => [child.dataset.key, child]));
  items.forEach((item, place) => {
    const key = String(keyOf(item));
    let child = known.get(key);
    known.delete(key);
    if (!child) {
      child = make(item);
      child.dataset.key = key;
    }
    // An element that is moved loses the focus.
    if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] ?? null);
    update(child, item);
  });
  for (const child of known.values()) child.remove();
}

/** The rows of a table; hides its section if there are none. cellsOf: the texts of an item. */
export function rows(body, items, keyOf, cellsOf, make = () => document.createElement("tr")) {
  body.closest("section").hidden = !items.length;
  sync(body, items, keyOf, make, (row, item) => {
    cellsOf(item).forEach((text, place) => {
      const cell = row.cells[place] ?? row.appendChild(made("td", place ? "number" : ""));
      if (!place && !cell.firstChild) cell.append(foreign(""));
      setText(place ? cell : cell.firstChild, text);
    });
  });
}

/** A bar chart of pairs of a label and a number, as that of the reports. */
export function chart(title, pairs, words) {
  const table = made("table", "chart", made("caption", "", title));
  const body = table.appendChild(document.createElement("tbody"));
  fillChart(body, pairs, words);
  return table;
}

export function fillChart(body, pairs, words) {
  const longest = Math.max(1, ...pairs.map(([, number]) => number));
  sync(body, pairs, ([label]) => label, ([label]) => {
    const row = made("tr", "", made("td", "", document.createElement("i"), made("span", "", foreign(label))));
    row.append(made("td", "number"));
    return row;
  }, (row, [, number]) => {
    row.querySelector("i").style.width = `${(100 * number) / longest}%`;
    setText(row.cells[1], words(number));
  });
}
