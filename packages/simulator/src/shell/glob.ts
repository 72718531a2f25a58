import type { Files } from "../files/files.ts";
import { FileError } from "../files/file-error.ts";
import { absolute } from "../files/path.ts";

type Piece = "star" | ((char: string) => boolean);

/** Compiles a shell pattern. A quoted character has a backslash before it. */
function piecesOf(glob: string): Piece[] {
  const pieces: Piece[] = [];
  const chars = Array.from(glob);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const close = char === "[" ? chars.indexOf("]", at + (/[!^]/.test(chars[at + 1] ?? "") ? 3 : 2)) : -1;
    if (char === "*") pieces.push("star");
    else if (char === "?") pieces.push(() => true);
    else if (close > 0) {
      pieces.push(setOf(chars.slice(at + 1, close)));
      at = close;
    } else {
      const literal = char === "\\" && at + 1 < chars.length ? chars[++at]! : char;
      pieces.push((other) => other === literal);
    }
  }
  return pieces;
}

/** The set in brackets: characters and ranges, or with `!` all others. */
function setOf(chars: string[]): (char: string) => boolean {
  const negated = chars[0] === "!" || chars[0] === "^";
  const ranges: [string, string][] = [];
  const rest = negated ? chars.slice(1) : chars;
  for (let at = 0; at < rest.length; at++) {
    const isRange = rest[at + 1] === "-" && at + 2 < rest.length;
    ranges.push([rest[at]!, isRange ? rest[at + 2]! : rest[at]!]);
    if (isRange) at += 2;
  }
  return (char) => ranges.some(([from, to]) => char >= from && char <= to) !== negated;
}

/**
 * The test of a shell pattern. Not made into a regular expression: many stars would let one line of shell hold up the
 * whole process.
 */
export function patternOf(glob: string): { test(text: string): boolean } {
  const pieces = piecesOf(glob);
  return {
    test(text) {
      const chars = Array.from(text);
      let [at, piece, star, starAt] = [0, 0, -1, 0];
      while (at < chars.length) {
        const wanted = pieces[piece];
        if (wanted === "star") [star, starAt, piece] = [piece, at, piece + 1];
        else if (wanted?.(chars[at]!)) [at, piece] = [at + 1, piece + 1];
        else if (star >= 0) [starAt, at, piece] = [starAt + 1, starAt + 1, star + 1];
        else return false;
      }
      return pieces.slice(piece).every((left) => left === "star");
    },
  };
}

export const isPattern = (glob: string): boolean => /(^|[^\\])[*?[]/.test(glob);

const MAX_MATCHES = 10_000;

/** The paths a pattern matches, sorted; none when nothing does. */
export function expandGlob(files: Files, cwd: string, glob: string): string[] {
  const rooted = glob.startsWith("/");
  let found = [rooted ? "/" : ""];
  for (const name of glob.split("/").filter((part) => part !== "")) {
    const next: string[] = [];
    for (const folder of found) {
      const join = (child: string) => (folder === "" || folder.endsWith("/") ? folder + child : `${folder}/${child}`);
      if (!isPattern(name)) {
        const path = join(name.replaceAll(/\\(.)/g, "$1"));
        if (files.exists(absolute(cwd, path))) next.push(path);
        continue;
      }
      const pattern = patternOf(name);
      for (const child of namesIn(files, absolute(cwd, folder || ".")))
        if (pattern.test(child) && (!child.startsWith(".") || name.startsWith("."))) next.push(join(child));
      if (next.length > MAX_MATCHES) return next;
    }
    found = next;
  }
  return found;
}

function namesIn(files: Files, path: string): string[] {
  try {
    return files.list(path).map(([name]) => name);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
