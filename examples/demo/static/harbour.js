// The page /odd/script holds nothing until this has run.
fetch("/odd/script-text").then((answer) => answer.text()).then((html) => {
  const source = new DOMParser().parseFromString(html, "text/html");
  const main = document.querySelector("#app");
  main.append(...source.querySelector("#source").childNodes);
  document.title = main.querySelector("h1").textContent;
});
