/**
 * A path of our own pages, with its query and fragment, if that is what `text` is; undefined for anything that a browser would take for
 * an address elsewhere.
 */
export function localPath(text: string): string | undefined {
  const here = "https://here.invalid";
  const url = text.startsWith("/") ? URL.parse(text, here) : null;
  // Dots fold away: `/.//host` has a path that a browser would read as another server.
  const isOurs = url?.origin === here && !url.pathname.startsWith("//");
  return isOurs ? url.pathname + url.search + url.hash : undefined;
}
