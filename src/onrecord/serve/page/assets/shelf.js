// The list of recordings, and the user's actions on it: tick, add, edit.

import { adder, dropping } from "./add.js";
import { browseView } from "./browse.js";
import { homeView } from "./home.js";
import { library, mayWrite, readLibrary, search } from "./library.js";

/** {show(words), refresh(words), only(recording), edit(recording), adder(), takeDrops()}. `page`: asking, the box;
 *  current(view, name), go(hash, show), open(id, wanted), redraw() if the list has changed, changed(id) if one
 *  recording has. */
export function shelf(page) {
  const open = (id) => page.open(id, { focus: true });
  const view = { page, ticked: new Map(), browse: null, arrivals: adder({ changed: page.redraw, open }) };
  const edit = (recording) => openEditor(view, recording);
  return {
    show: (words) => show(view, words, edit),
    refresh: (words) => refresh(view, words, edit),
    only: (recording) => {
      view.ticked = new Map(recording ? [[recording.id, recording]] : []);
      showTicks(view);
    },
    edit,
    adder: () => (mayWrite() ? view.arrivals.node : null),
    takeDrops: () => dropping({ allowed: mayWrite, take: (jobs) => addDropped(view, jobs) }),
  };
}

async function show(view, words, edit) {
  const { page, arrivals } = view;
  page.current("recordings", "Recordings");
  await readLibrary();
  const { recordings, error } = library;
  const open = (id, start = null, end = null) => page.open(id, { start, end, play: false, focus: true });
  const find = (wanted) =>
    page.go(wanted ? `#/recordings?find=${encodeURIComponent(wanted)}` : "#/recordings", true);
  const writing = mayWrite() ? { adder: arrivals.node, edit } : {};
  const tick = (some, whether) => ticked(view, some, whether);
  const actions = { open, find, search, tick, ticked: () => view.ticked, ...writing };
  view.browse = error || !recordings.length ? null : browseView(words, actions);
  const main = document.getElementById("main");
  main.replaceChildren(view.browse?.node ?? homeView(library, writing.adder));
  view.browse?.update(recordings);
  if (location.hash.startsWith("#/recordings")) main.dataset.shown = location.hash; // keeps its scroll position
}

/** Update the list without disturbing a user who types. */
function refresh(view, words, edit) {
  if (view.browse?.node.isConnected && library.recordings.length) view.browse.update(library.recordings);
  else show(view, words, edit);
}

// ---------------------------------------------------------------- ticking

/** Ask these recordings, or stop asking them. */
function ticked(view, recordings, whether) {
  for (const recording of recordings) {
    if (whether) view.ticked.set(recording.id, recording);
    else view.ticked.delete(recording.id);
  }
  showTicks(view);
}

/** Pass the ticked recordings to the composer, and update the boxes. */
function showTicks({ page, ticked: some }) {
  page.asking.among([...some.values()]);
  for (const box of document.querySelectorAll(".year .tick")) box.checked = some.has(box.value);
  if (!some.size) for (const box of document.querySelectorAll(".tick-all .tick")) box.checked = false;
}

// ---------------------------------------------------------------- changing

/** Open the dialog for a recording; its module is fetched on first use. */
async function openEditor(view, recording) {
  const { editDialog } = await import("./edit.js");
  editDialog(recording, (id) => {
    view.page.changed(id);
    const there = new Set(library.recordings.map((each) => each.id));
    view.ticked = new Map([...view.ticked].filter(([each]) => there.has(each)));
    showTicks(view);
    view.page.redraw();
  });
}

/** Add files that were dropped anywhere, in the view that shows their progress. */
function addDropped({ page, arrivals }, jobs) {
  if (!arrivals.node.isConnected) page.go("#/recordings", true);
  arrivals.take(jobs);
}
