/** Shows the crawl as the server tells of it, and sends what people do. */

import { chart, fillChart, foreign, made, rows, setText, sync } from "./view.js";
import { bytes, count, ending, rate, span } from "./words.js";

const ROOT = document.querySelector("main").dataset.root;
const LATE = 5_000;
const AGAIN = 2_000;
const TITLES = {
  genres: "genre", page_types: "page type", languages: "language", reject_reasons: "reject reason",
};
const LABELS = { freed: "being removed", idle: "no worker is heard of" };

const at = (id) => document.getElementById(id);
const state = at("state");
const said = at("said");
let isOver = false;
let heard = Date.now();

function show(crawl) {
  heard = Date.now();
  setState(crawl.state);
  setText(at("since"), crawl.started ? `since ${new Date(crawl.started * 1000).toLocaleString("en-GB")}` : "");
  setText(at("end"), crawl.state === "running" ? ending(crawl.end) : "");
  showActions(crawl);
  showFigures(crawl);
  showDead(crawl);
  rows(at("workers"), crawl.workers, (one) => one.worker, (one) => [
    one.worker, count(one.leases), ...(one.age === undefined ? [] : [
      rate(one.static), rate(one.rendered), count(one.documents), bytes(one.memory), rate(one.cpu),
      bytes(one.free), one.age < 10 ? "now" : `${span(one.age)} ago`,
    ]),
  ]);
  rows(at("hosts"), crawl.hosts, (one) => one.host, (one) => [
    one.host, count(one.queued), count(one.leased), count(one.done), count(one.dead),
    one.wait > 0 ? span(Math.ceil(one.wait)) : "now",
  ]);
  showGroups(crawl);
  showDocuments(crawl.documents);
  rows(at("processes"), crawl.processes, ({ worker, of }) => `${worker} ${of.pid}`, ({ worker, of }) => [
    of.role, worker, String(of.pid), bytes(of.memory), of.cpu.toFixed(2),
  ]);
}

function setState(name) {
  setText(state, LABELS[name] ?? name);
  state.dataset.state = name;
}

function showActions(crawl) {
  const isPaused = crawl.state === "paused" || crawl.state === "stopped";
  for (const button of at("actions").children) {
    const { action } = button.dataset;
    const fits = { pause: !isPaused, resume: isPaused, stop: crawl.state !== "stopped" }[action];
    const hides = !crawl.actions.includes(action) || !fits;
    if (hides && button === document.activeElement) moveFocus(button);
    button.hidden = hides;
  }
}

/** Pause and resume take turns: who has pressed one of them by key stays there. */
function moveFocus(button) {
  const other = { pause: "resume", resume: "pause" }[button.dataset.action];
  const next = other && at("actions").querySelector(`[data-action=${other}]`);
  if (!next) return;
  next.hidden = false;
  next.focus();
}

function showFigures({ static: read, rendered, totals, urls }) {
  const figures = [
    ["pages/s", rate(read + rendered)], ["static pages/s", rate(read)], ["rendered pages/s", rate(rendered)],
    ["documents", count(totals.documents ?? 0)], ["rejects", count(totals.rejects ?? 0)],
    ...["unchanged", "gone"].filter((name) => totals[name]).map((name) => [name, count(totals[name])]),
    ...(totals.held ? [["wait for their site", count(totals.held)]] : []),
    ["URLs queued", count(urls.queued)], ["leased", count(urls.leased)], ["done", count(urls.done)],
    ...(urls.due ? [["due again", count(urls.due)]] : []),
    ["dead", count(urls.dead)], ["hosts", count(urls.hosts)],
  ];
  sync(at("figures"), figures, ([name]) => name,
    ([name]) => made("div", "", made("b", ""), name),
    (box, [, value]) => setText(box.firstChild, value));
}

function showDead({ dead, actions }) {
  const focused = at("dead").contains(document.activeElement) ? document.activeElement : null;
  rows(at("dead"), dead, ([reason]) => reason, ([reason, number]) => [reason, count(number)], ([reason]) => {
    const button = made("button", "", "Retry");
    button.type = "button";
    button.setAttribute("aria-label", `Retry the URLs that are dead for the reason ${reason}`);
    button.addEventListener("click", () => act("retry", { reason }, button));
    const cells = [made("td", "", foreign("")), made("td", "number"), made("td", "", button)];
    return made("tr", "", ...cells);
  });
  for (const button of at("dead").querySelectorAll("button")) button.hidden = !actions.includes("retry");
  // Its URLs are queued again: what became of that is said there.
  if (focused && !focused.isConnected) said.focus();
}

function showGroups({ groups, outcomes }) {
  const shown = [...Object.keys(TITLES).filter((name) => groups[name]).map((name) => [TITLES[name], groups[name]])];
  if (outcomes.length) shown.push(["visits by outcome, of all runs", outcomes]);
  at("groups").closest("section").hidden = !shown.length;
  sync(at("groups"), shown, ([title]) => title, ([title, pairs]) => chart(title, pairs, count),
    (table, [, pairs]) => fillChart(table.tBodies[0], pairs, count));
}

function showDocuments(documents) {
  at("documents").closest("section").hidden = !documents.length;
  sync(at("documents"), documents, (one) => `${one.id} ${one.at}`, (one) => {
    const link = made("a", "", foreign(one.title || "(no title)"));
    link.href = `${ROOT}/documents/${encodeURIComponent(one.id)}`;
    const facts = [
      one.genre ?? "unsure", one.page_type ?? "unsure", one.language ?? "unknown language",
      `${count(one.words)} words`, ...(one.rendered ? ["rendered"] : []),
      ...(one.confidence === null ? [] : [`confidence ${one.confidence.toFixed(2)}`]),
    ];
    return made("article", "card", made("h3", "", link), made("p", "url", foreign(one.url)),
      made("p", "facts", ...facts.map((fact) => made("span", "", fact))));
  }, () => {});
}

async function act(action, value, button) {
  // Not disabled, which would take the focus from it.
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  try {
    const answer = await fetch(`${ROOT}/actions/${action}`, { method: "POST", body: JSON.stringify(value) });
    // What keeps strangers out, and a server that failed, say so in plain text.
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const { said: words, error } = isJson ? await answer.json() : { error: await answer.text() };
    tell(words ?? error, answer.ok ? "done" : "failed");
  } catch (error) {
    tell(`The server does not answer: ${error.message}`, "failed");
  } finally {
    button.ariaBusy = null;
  }
}

function tell(words, outcome) {
  said.dataset.state = outcome;
  setText(said, words);
}

function over(words) {
  isOver = true;
  setState("ended");
  setText(at("end"), words);
}

function listen() {
  const events = new EventSource(`${ROOT}/events`);
  events.addEventListener("message", ({ data }) => {
    const crawl = JSON.parse(data);
    show(crawl);
    if (said.dataset.state === "trouble") tell("", "done");
    document.body.dataset.ready = "yes";
    if (crawl.state === "ended") {
      events.close();
      over("The crawl has ended; its report has all numbers.");
    }
  });
  events.addEventListener("trouble", ({ data }) => tell(JSON.parse(data).error, "trouble"));
  events.addEventListener("error", () => {
    // Browsers try again after a broken connection, but not after a refusal.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN);
  });
}

at("actions").addEventListener("click", ({ target }) => {
  const { action } = target.dataset;
  if (action === "stop") at("sure").showModal();
  else if (action) act(action, {}, target);
});

at("sure").addEventListener("close", () => {
  if (at("sure").returnValue === "stop") {
    act("stop", {}, at("actions").querySelector("[data-action=stop]"));
  }
  at("sure").returnValue = "";
});

setInterval(() => {
  if (isOver || Date.now() - heard < LATE) return;
  state.dataset.state = "lost";
  setText(state, `no news for ${span((Date.now() - heard) / 1000)}`);
}, 1_000);

listen();
