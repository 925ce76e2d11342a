// The dialog that edits a recording's details and speakers, and removes it.

import { act, patch, remove } from "./api.js";
import { button, el } from "./dom.js";
import { updateLibrary, library, removeFromLibrary } from "./library.js";
import { list } from "./series.js";
import { toast } from "./toast.js";
import { voice } from "./voices.js";
import { count } from "./words.js";
import { isName } from "./home.js";

const UNDO = 60; // seconds

/** Open the dialog for a recording. It calls `changed(id)` after a change, `changed(null)` after a removal. */
export function editDialog(recording, changed) {
  const fields = detailFields(recording);
  const names = list(recording.speakers).map((name) => speakerRow(name, recording));
  const trouble = el("p", { class: "trouble", role: "alert", hidden: true });
  const save = el("button", { type: "submit", class: "small strong", text: "Save" });
  const form = el(
    "form",
    { method: "dialog", class: "edit" },
    el("h2", { id: "edit-heading", dir: "auto", text: "About this recording" }),
    fields.map(({ node }) => node),
    names.length
      ? el(
          "fieldset",
          {},
          el("legend", { text: "Speakers" }),
          names.map(({ node }) => node),
        )
      : null,
    trouble,
    el(
      "div",
      { class: "tools" },
      save,
      button("Cancel", () => box.close(), { class: "small" }),
      button("Remove", () => removeRecording(recording, box, changed), { class: "small bad" }),
    ),
  );
  const box = el("dialog", { class: "dialog", "aria-labelledby": "edit-heading" }, form);
  form.addEventListener("input", () => (trouble.hidden = true));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    save.disabled = true;
    try {
      if (await saveChanges(recording, fields, names)) changed(recording.id);
      box.close();
    } catch (error) {
      trouble.hidden = false;
      trouble.textContent = error.message;
    }
    save.disabled = false;
  });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}

// ---------------------------------------------------------------- fields

/** The fields of the details: each {name, node, value()}, with the value in the server's format. */
function detailFields({ title, date, people, link, attributes }) {
  const tags = String(attributes?.tags ?? "");
  return [
    field("title", "Title", title),
    field("date", "Date", date ?? "", { placeholder: "2024-03-05, 2024-03 or 2024" }),
    field("people", "People (with ; between them)", list(people).join("; "), { placeholder: "Ann Lee; Bo Díaz" }, (text) => split(text, /[;\n]/)),
    field("link", "Link", link ?? "", { type: "url", placeholder: "https://" }),
    field("tags", "Tags", tags, { placeholder: "freight; tariffs" }, (text) => split(text, /[;,\n]/)),
  ];
}

function split(text, separator) {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}

function field(name, label, before, props = {}, read = (text) => text.trim() || null) {
  const input = el("input", { id: `edit-${name}`, value: before, dir: "auto", maxlength: 2000, ...props });
  return {
    name,
    node: el("div", { class: "field" }, el("label", { for: input.id, text: label }), input),
    changed: () => input.value.trim() !== before,
    value: () => read(input.value),
  };
}

/** A speaker's name, and where to change it. A recognizer's label means another person in each recording. */
function speakerRow(name, recording) {
  const others = list(library.recordings).filter(
    (r) => r.id !== recording.id && list(r.speakers).includes(name),
  );
  const input = el("input", { value: name, maxlength: 200, dir: "auto", "aria-label": `Name of ${name}` });
  const everywhere = el("input", { type: "checkbox", checked: others.length > 0 && isName(name) });
  const also = others.length
    ? el("label", { class: "also" }, everywhere, `also in ${count(others.length, "other recording")}`)
    : null;
  const dot = el("span", { "data-voice": voice(name), "aria-hidden": "true" });
  return {
    name,
    node: el("div", { class: "speaker-row" }, dot, input, also),
    value: () => input.value.trim(),
    recordings: () => [recording, ...(everywhere.checked ? others : [])].map((r) => r.id),
  };
}

// ---------------------------------------------------------------- saving and removing

/** Send the changes; returns whether there were any. */
async function saveChanges(recording, fields, names) {
  const changes = fields.filter((each) => each.changed()).map(({ name, value }) => [name, value()]);
  const renamed = names.filter((row) => row.value() && row.value() !== row.name);
  if (changes.length)
    updateLibrary([await patch(pathOf(recording), Object.fromEntries(changes))]);
  for (const row of renamed) {
    const body = { speaker: row.name, name: row.value(), recordings: row.recordings() };
    updateLibrary((await act("/api/speakers/rename", body)).changed);
  }
  return changes.length + renamed.length > 0;
}

async function removeRecording(recording, box, changed) {
  try {
    await remove(pathOf(recording), { undo: UNDO });
  } catch (error) {
    return toast(error.message);
  } finally {
    box.close();
  }
  removeFromLibrary(recording.id);
  changed(null);
  return toast(`Removed “${recording.title}”.`, { undo: () => restore(recording, changed), seconds: UNDO });
}

async function restore(recording, changed) {
  try {
    updateLibrary([await act(`${pathOf(recording)}/restore`)]);
    changed(recording.id);
  } catch (error) {
    toast(error.message);
  }
}

function pathOf({ id }) {
  return `/api/recordings/${encodeURIComponent(id)}`;
}
