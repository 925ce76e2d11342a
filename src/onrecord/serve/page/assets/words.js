// Times, dates and numbers as people write them.

/** "12:31", and "1:02:03" from the first hour on; rounded down. */
export function clock(seconds) {
  const all = Math.max(0, Math.floor(Number(seconds) || 0));
  const [hours, minutes, second] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(second)}` : `${minutes}:${two(second)}`;
}

/** "12:31–12:58", "12:31" or "". */
export function span(start, end) {
  const ends = [start, end].filter(known).map(clock);
  return [...new Set(ends)].join("–");
}

/** A text without case, accents and surrounding space, for comparisons. */
export function plain(text) {
  return String(text).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

export function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** A rough duration: "48 s", "17 min", "2 h 05 min". */
export function length(seconds) {
  if (!known(seconds)) return "";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** An ISO date of day, month or year precision in words; any other text is returned unchanged. */
export function day(date) {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(date ?? "");
  if (!match) return date ?? "";
  const [, year, month, of] = match;
  if (!month) return year;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(of ?? 1)));
  const parts = { year: "numeric", month: of ? "short" : "long", ...(of ? { day: "numeric" } : {}) };
  return Number.isNaN(at.getTime()) ? date : at.toLocaleDateString("en-GB", { ...parts, timeZone: "UTC" });
}

/** Two days in words: "2024" or "November 2024" if they span exactly that, else "1 Nov 2024 – 5 Nov 2024". */
export function period(since, until) {
  if (since.endsWith("-01-01") && until === `${since.slice(0, 4)}-12-31`) return since.slice(0, 4);
  const month = since.slice(0, 7);
  if (since === `${month}-01` && until === lastDay(month)) return day(month);
  return since === until ? day(since) : `${day(since)} – ${day(until)}`;
}

/** The last day of a month: "2024-02" to "2024-02-29". */
function lastDay(month) {
  const [year, number] = month.split("-").map(Number);
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}

/** "1.4 s", "120 ms", "0.3 ms". */
export function took(ms) {
  if (!known(ms)) return "";
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

export function count(n, one, many = `${one}s`) {
  return `${Number(n).toLocaleString("en-GB")} ${n === 1 ? one : many}`;
}

export function percent(share) {
  return `${Math.round(100 * share)} %`;
}
