import type { Files } from "../files/files.ts";
import { FileError } from "../files/file-error.ts";
import { absolute } from "../files/path.ts";

/** The regular expression of a shell pattern. A quoted character stands behind a backslash. */
export function patternOf(glob: string): RegExp {
  let source = "";
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at]!;
    const set = char === "[" ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(glob.slice(at)) : null;
    if (char === "\\" && at + 1 < glob.length) source += escape(glob[++at]!);
    else if (char === "*") source += "[^]*";
    else if (char === "?") source += "[^]";
    else if (set) {
      source += `[${set[1] ? "^" : ""}${set[2]!.replaceAll(/[\\\]^]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else source += escape(char);
  }
  return new RegExp(`^${source}$`, "u");
}

const escape = (char: string) => char.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");
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
