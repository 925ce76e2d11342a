// Players of other sites. Nothing is requested from them before the user presses play.

const YOUTUBE = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtube-nocookie.com",
  "www.youtube-nocookie.com",
]);

/** {site, host, at(second)} for a link that can be played here, else null. `at` returns the frame's address. */
export function embed(link) {
  let url;
  try {
    url = new URL(link);
  } catch {
    return null;
  }
  if (!/^https?:$/.test(url.protocol)) return null;
  const [first, second] = url.pathname.split("/").filter(Boolean);
  if (url.hostname === "youtu.be") return youtube(first);
  if (YOUTUBE.has(url.hostname))
    return youtube(["embed", "live", "shorts"].includes(first) ? second : url.searchParams.get("v"));
  if (url.hostname === "player.vimeo.com" && first === "video")
    return vimeo(second, url.searchParams.get("h"));
  return /^(www\.)?vimeo\.com$/.test(url.hostname) ? vimeo(first, second) : null;
}

function youtube(id) {
  if (!/^[\w-]{6,20}$/.test(id ?? "")) return null;
  const at = (second) =>
    `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0&start=${Math.floor(second)}`;
  return { site: "YouTube", host: "www.youtube-nocookie.com", at };
}

function vimeo(id, hash) {
  if (!/^\d{4,14}$/.test(id ?? "")) return null;
  const secret = /^[0-9a-f]{6,20}$/.test(hash ?? "") ? `&h=${hash}` : "";
  const at = (second) =>
    `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1${secret}#t=${Math.floor(second)}s`;
  return { site: "Vimeo", host: "player.vimeo.com", at };
}
