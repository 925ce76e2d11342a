// The interpretation of a question: its conditions as chips that can be removed, and notes.

import { button, el, icon } from "./dom.js";
import { titleOf } from "./library.js";
import { remarks } from "./remarks.js";
import { list } from "./series.js";
import { scopeValues } from "./state.js";
import { day, period } from "./words.js";

/** Chips for the conditions of the question, and a line of notes. */
export function understood(x, actions) {
  const chips = filterChips(list(x.plan?.filters)).map(({ filters, ...condition }) =>
    chip(
      condition,
      () => actions.without(x, ...filters),
      () => actions.onlyIn(x, ...filters),
    ),
  );
  const back = list(x.options.without).map((field) =>
    button(`use the ${fieldName(field)} again`, () => actions.withAgain(x, field), { class: "chip off" }),
  );
  const scoped = scopeChips(x, actions);
  const words = x.before.length ? reading(x.plan?.text, x.question) : "";
  return [
    ...scoped,
    ...chips,
    ...back,
    ...(words ? [followUpChip(words, () => actions.afresh(x))] : []),
    ...remarks(list(x.plan?.notes)),
  ];
}

/** The interpretation of a follow-up: words carried over from before, or a rephrased question. */
export function reading(text, question) {
  if (!text || text === question) return "";
  const before = text.endsWith(question) ? text.slice(0, -question.length).trim() : "";
  return before ? `“${before}” is carried over` : `understood as “${text}”`;
}

/** A chip for the interpretation of a follow-up. Removing it asks the question by itself. */
function followUpChip(words, askAfresh) {
  return el(
    "span",
    { class: "chip soft" },
    el("span", { dir: "auto", text: words }),
    button("Ask without what was asked before", askAfresh, {}, icon("close")),
  );
}

/** The scope of the question, as chips: removing one asks again without it. */
function scopeChips(x, actions) {
  return scopeValues(x.options.scope).map(({ rest, ...value }) => chip(value, () => actions.within(x, rest)));
}

const FIELDS = { since: "from", until: "up to" };

function fieldName(field) {
  return FIELDS[field] ?? String(field).replaceAll("_", " ");
}

/** The most values of one field from the same words that have a chip each. */
const MOST_CHIPS = 4;

/** Group the filters into chips: one each, one for a start and an end date from the same words, and one for many
 *  values from the same words ("everyone except Kelly"). */
function filterChips(filters) {
  const since = filters.find((f) => f.field === "since");
  const until = filters.find((f) => f.field === "until" && f.said === since?.said);
  const dates =
    since && until
      ? [
          {
            field: "date",
            value: period(since.value, until.value),
            said: since.said,
            exact: since.exact,
            filters: [since, until],
          },
        ]
      : [];
  const others = filters.filter((f) => !dates.length || (f !== since && f !== until));
  const groups = Map.groupBy(others, (f) => JSON.stringify([f.field, f.said]));
  const chips = [...groups.values()].flatMap((group) =>
    group.length > MOST_CHIPS ? [manyAsOne(group)] : group.map((f) => ({ ...f, filters: [f] })),
  );
  return [...dates, ...chips];
}

function manyAsOne(filters) {
  const [first, second] = filters.map((f) => valueName(f.field, f.value));
  return { ...filters[0], shown: `${first}, ${second} and ${filters.length - 2} others`, filters };
}

function valueName(field, value) {
  if (field === "recording") return titleOf(value);
  return ["since", "until"].includes(field) ? day(value) : value;
}

/** A chip for a filter, with a button that removes it. A click on a preferred value makes it a condition. */
function chip({ field, value, said, exact = true, shown = valueName(field, value) }, remove, only = null) {
  const how = exact ? "only this, read from" : "preferred, read from";
  const name = [
    el("span", { class: "key", text: `${fieldName(field)}${exact ? "" : " ~"} ` }),
    el("span", { dir: "auto", text: shown }),
  ];
  const label = `Ask only ${fieldName(field)}: ${shown}`;
  return el(
    "span",
    { class: exact ? "chip" : "chip soft", title: said ? `${how} “${said}”` : null },
    exact || !only
      ? name
      : el("button", { type: "button", class: "narrow", "aria-label": label, title: label, on: { click: only } }, name),
    button(`Ask again without ${fieldName(field)}: ${shown}`, remove, {}, icon("close")),
  );
}
