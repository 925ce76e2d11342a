// The whole page: addresses, the conversation, and the user's actions.

import { announce, el } from "./dom.js";
import { receive } from "./asking.js";
import { exchange, onlyFilters, restart, withoutFilters } from "./state.js";
import { placeIn, wantedOf } from "./places.js";
import { list } from "./series.js";
import { parse, questionHash, recordingHash } from "./router.js";
import { answerView } from "./answer.js";
import { stock } from "./browse.js";
import { keepConversation, newId, unpacked } from "./conversations.js";
import { belowView, homeView } from "./home.js";
import { composer } from "./composer.js";
import { lightSource } from "./evidence.js";
import { lazyDeck } from "./lazydeck.js";
import { library, mayWrite, readLibrary } from "./library.js";
import { shelf } from "./shelf.js";
import { themeButton } from "./theme.js";
import { fillStrategies } from "./strategies.js";

const $ = (id) => document.getElementById(id);
const state = {
  conversation: [], // exchanges, oldest first
  id: newId(), // the conversation's id in storage
  views: new Map(), // from exchange to its view
  asking: null, // the AbortController of the answer that is arriving
  last: "#/", // the address to return to when the deck is closed
  returnTo: null, // the element that had the focus before the deck was opened
  wanted: null, // the citation for which the next recording is opened
};
const asking = composer($("composer"), {
  ask,
  stop: () => state.asking?.abort(),
  up: toAnswer,
  freed: () => recordingShelf.only(null),
});
const recordingShelf = shelf({ asking, current, go, redraw, open: openRecording, changed: recordingChanged });
const recordingDeck = lazyDeck($("deck"), {
  close: closeDeck,
  askAbout: (recording) => {
    recordingShelf.only(recording);
    asking.focus();
  },
  edit: recordingShelf.edit,
  mayEdit: mayWrite,
});

const actions = {
  openSource: (source, x, from) =>
    openRecording(
      source.recording,
      { ...source, play: true, focus: true },
      recordingIn(x, source.recording),
      from,
    ),
  openAt: (recording, start, moment) =>
    openRecording(recording.id, placeIn(recording, start, moment?.end ?? null), recording),
  ask,
  without: (x, ...filters) => revise(x, withoutFilters(x, filters)),
  onlyIn: (x, ...filters) => revise(x, onlyFilters(x, filters)),
  afresh: (x) => {
    x.before = [];
    revise(x, x.options);
  },
  withAgain: (x, field) =>
    revise(x, { ...x.options, without: list(x.options.without).filter((f) => f !== field) }),
  only: (x, speaker) => askBeside(x, { ...x.options, scope: { ...x.options.scope, speakers: [speaker] } }),
  beside: askBeside,
  within: (x, scope) => revise(x, { ...x.options, scope }),
  again: (x) => run(x),
  explain: (x) => revise(x, { ...x.options, explain: true }),
  hashOf,
};

// ---------------------------------------------------------------- asking

/** Ask a question as the next turn of the conversation, and set its address. */
async function ask(question, options = {}) {
  const done = state.conversation.filter((other) => other.status === "done");
  await follow({ ...exchange(question, options), before: done });
}

/** Ask the same question again with other options, after the same earlier questions. */
async function askBeside(x, options) {
  await follow({ ...exchange(x.question, options), before: x.before });
}

async function follow(x) {
  state.conversation.push(x);
  go(hashOf(x));
  showConversation();
  await run(x);
}

/** Ask again, in the same turn, with other filters. */
async function revise(x, options) {
  x.options = options;
  go(hashOf(x));
  await run(x);
}

function hashOf(x) {
  return questionHash(
    x.question,
    x.before.map((other) => other.question),
    x.options,
  );
}

async function run(x) {
  state.asking?.abort();
  const control = new AbortController();
  state.asking = control;
  restart(x);
  const view = viewOf(x);
  asking.busy(true);
  announce("Asking.");
  await receive(x, control.signal, view.changed);
  if (state.asking === control) {
    state.asking = null;
    asking.busy(false);
  }
  view.changed("end");
  keepConversation(state.id, state.conversation);
}

function viewOf(x) {
  state.views.get(x)?.root.remove();
  const view = answerView(x, actions);
  const old = state.views.get(x);
  state.views.set(x, view);
  if (old || !$("main").contains(view.root)) placeView(x, view);
  return view;
}

function placeView(x, view) {
  const after = state.conversation
    .slice(state.conversation.indexOf(x) + 1)
    .map((other) => state.views.get(other)?.root)
    .find(Boolean);
  conversationBox().insertBefore(view.root, after ?? null);
  view.root.scrollIntoView({ block: "start" });
}

// ---------------------------------------------------------------- the deck

function recordingIn(x, id) {
  return x.recordings.find((recording) => recording.id === id);
}

function openRecording(id, wanted, evidence, from) {
  if (!recordingDeck.isOpen()) state.returnTo = from ?? document.activeElement;
  state.wanted = { id, wanted, evidence };
  lightSource(wanted);
  const hash = recordingHash(id, wanted.start, wanted.end);
  if (location.hash === hash) show(hash);
  else go(hash, true);
}

/** Reload the open recording if it has this id; with null, close it, because it was removed. */
function recordingChanged(id) {
  if (id && recordingDeck.shows(id)) recordingDeck.reload();
  else if (!id && recordingDeck.isOpen()) closeDeck();
}

function closeDeck() {
  go(state.last, true);
  state.returnTo?.isConnected && state.returnTo.focus();
  state.returnTo = null;
}

// ---------------------------------------------------------------- views and addresses

function go(hash, showIt = false) {
  if (location.hash !== hash) history.pushState(null, "", hash);
  if (showIt) show(hash);
  else if (!hash.startsWith("#/r/")) state.last = hash;
}

/** Show the view of an address. */
function show(hash) {
  const route = parse(hash);
  if (route.view === "r") return showRecording(route);
  state.last = hash || "#/";
  $("stage").classList.remove("open");
  recordingDeck.close();
  lightSource(null);
  if ($("main").dataset.shown === hash) return null; // only the recording beside the view was closed
  delete $("main").dataset.shown;
  if (route.view === "q") return showQuestion(route, hash);
  if (route.view === "c") return showStored(route.id);
  if (route.view === "recordings") return recordingShelf.show(route.find);
  if (route.view === "g") return showGraph(route, hash);
  if (route.view === "saved" || route.view === "clips") return showSaved(route.view);
  return showHome();
}

function showRecording({ id, t, to }) {
  if (!$("main").firstChild) recordingShelf.show("");
  const { wanted, evidence } =
    state.wanted?.id === id ? state.wanted : { wanted: { start: t, end: to, focus: true } };
  state.wanted = null;
  $("stage").classList.add("open");
  recordingDeck.open(id, wanted, evidence);
  title(evidence?.title ?? "A recording");
}

function showQuestion(route, hash) {
  const there = state.conversation.find((x) => hashOf(x) === hash);
  showConversation();
  if (there) return state.views.get(there)?.root.scrollIntoView({ block: "start" });
  return replay(route);
}

/** Ask the question of an address in a new conversation, after the earlier questions in the address. */
async function replay({ question, after, options }) {
  forget();
  const turns = [...after.map((before) => exchange(before)), exchange(question, options)];
  for (const x of turns) {
    x.before = [...state.conversation];
    state.conversation.push(x);
    await run(x);
    if (x.status !== "done") return;
  }
}

/** Show a stored conversation without asking anything. */
function showStored(id) {
  const turns = id === state.id ? state.conversation : unpacked(id);
  if (!turns) return go("#/saved", true);
  if (id !== state.id) {
    forget();
    Object.assign(state, { id, conversation: turns });
    for (const x of turns) viewOf(x).changed("end");
  }
  showConversation();
  return state.views.get(turns.at(-1))?.root.scrollIntoView({ block: "start" });
}

/** Move the focus to the first mark of the latest answer, or to its question if it has no mark. */
function toAnswer() {
  const { root } = state.views.get(state.conversation.at(-1)) ?? {};
  (root?.querySelector(".mark") ?? root?.querySelector(".asked"))?.focus();
}

function forget() {
  state.asking?.abort();
  state.conversation = [];
  state.id = newId();
  state.views.clear();
  conversationBox().replaceChildren();
}

function conversationBox() {
  delete $("main").dataset.shown;
  let box = $("conversation");
  if (!box) {
    box = el("div", { class: "conversation", id: "conversation" });
    $("main").replaceChildren(el("h1", { class: "unseen", text: "Questions and answers" }), box);
  }
  return box;
}

function showConversation() {
  const box = conversationBox();
  if (!box.firstChild) box.append(...state.conversation.map((x) => state.views.get(x)?.root).filter(Boolean));
  current("ask", state.conversation.at(-1)?.question);
}

function showHome() {
  forget();
  const draw = () => {
    const adder = recordingShelf.adder();
    $("main").replaceChildren(homeView(library, adder));
    $("below").replaceChildren(
      ...belowView(library, { begin: asking.begin, open: (id) => openRecording(id, { focus: true }), adder }),
    );
  };
  current("ask", null);
  if (library.recordings) draw();
  else readLibrary().then(() => parse(location.hash).view === "ask" && draw());
  if (matchMedia("(pointer: fine)").matches) asking.focus(); // on a touch screen the keyboard would cover the page
}

async function showGraph(route, hash) {
  current("recordings", route.name || "Topics");
  const play = (quote) => openRecording(quote.recording, wantedOf(quote));
  const { graphView } = await import("./graph.js");
  if (location.hash !== hash) return;
  $("main").replaceChildren(graphView(route, { play, go, begin: asking.begin }));
  $("main").dataset.shown = hash;
}

/** Show the conversations and clips stored in this browser. The module is fetched on first use. */
async function showSaved(view) {
  current("saved", "Saved");
  const open = (clip) => openRecording(clip.recording, { ...clip, play: true, focus: true });
  const { savedView } = await import("./saved.js");
  if (parse(location.hash).view === view) $("main").replaceChildren(savedView(view, { open }));
}

/** Redraw the views that depend on the list of recordings. */
function redraw() {
  showStock();
  const { view, find } = parse(state.last);
  if (view === "recordings") recordingShelf.refresh(find);
  else if (document.querySelector(".arrivals li")) go("#/recordings", true); // the remaining uploads stay visible there
  else if (view === "ask" && !state.conversation.length) showHome();
}

function current(view, name) {
  for (const link of document.querySelectorAll("nav [data-view]")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const latest = state.conversation.at(-1);
  document.querySelector('nav [data-view="ask"]').href = latest ? hashOf(latest) : "#/"; // back to the latest question
  const home = view === "ask" && !latest;
  document.body.dataset.view = home ? "home" : view;
  if (!home) $("below").replaceChildren();
  title(name);
}

const title = (name) => (document.title = name ? `${name} – onrecord` : "onrecord");

// ---------------------------------------------------------------- the keyboard, and the start

function onKey(event) {
  if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    asking.focus();
  } else if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    if (state.asking) state.asking.abort();
    else if (recordingDeck.isOpen()) closeDeck();
  }
}

/** Show the size of the archive at the top. */
function showStock() {
  if (library.recordings) $("stock").textContent = stock(library);
}

function start() {
  themeButton($("theme"));
  $("keys").addEventListener("click", () => import("./help.js").then(({ showKeys }) => showKeys()));
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    asking.focus();
  });
  document.addEventListener("keydown", onKey);
  recordingShelf.takeDrops();
  addEventListener("popstate", () => show(location.hash));
  show(location.hash);
  readLibrary().then(() => {
    showStock();
    if (library.recordings) fillStrategies($("strategy"));
  });
  announce("");
}

start();
