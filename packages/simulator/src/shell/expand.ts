import { arithmetic } from "./arithmetic.ts";
import { expandGlob, isPattern } from "./glob.ts";
import type { Script, Word } from "./script.ts";
import type { ShellState } from "./shell-state.ts";

/** Runs `$( )` and returns its output. */
export type Capture = (script: Script) => Promise<string>;

function variable(state: ShellState, name: string): string | undefined {
  if (name === "?") return String(state.status);
  if (name === "$") return String(state.pid);
  if (name === "#") return "0";
  if (name === "!" || name === "@" || name === "*") return "";
  if (name === "0") return "/system/bin/sh";
  return state.variables.get(name);
}

/** Expands a word to arguments: variables and `$( )` substituted, split at blanks, patterns matched. */
export async function expandWord(word: Word, state: ShellState, capture: Capture): Promise<string[]> {
  // `glob` is the field with quoted pattern characters escaped, `text` the same without.
  const fields: { text: string; glob: string }[] = [];
  let open = false;
  const add = (text: string, quoted: boolean) => {
    if (!open) fields.push({ text: "", glob: "" });
    open = true;
    const field = fields.at(-1)!;
    field.text += text;
    field.glob += quoted ? text.replaceAll(/[\\*?[\]]/g, "\\$&") : text;
  };
  for (const part of word) {
    if (part.kind === "text") {
      add(part.text, part.quoted);
      continue;
    }
    const text = await valueOf(part, state, capture);
    if (part.quoted) {
      if (part.kind === "variable" && (part.name === "@" || part.name === "*") && text === "") continue;
      add(text, true);
      continue;
    }
    const pieces = text.split(/[ \t\n]+/);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) open = false;
      if (piece !== "") add(piece, false);
    }
  }
  return fields.flatMap(({ text, glob }) => {
    if (!isPattern(glob)) return [text];
    const matches = expandGlob(state.files, state.cwd, glob);
    return matches.length > 0 ? matches : [text];
  });
}

/** Expands a word to a single string, as after `=` or `>`. */
export async function expandText(word: Word, state: ShellState, capture: Capture): Promise<string> {
  let text = "";
  for (const part of word) text += part.kind === "text" ? part.text : await valueOf(part, state, capture);
  return text;
}

async function valueOf(
  part: Exclude<Word[number], { kind: "text" }>,
  state: ShellState,
  capture: Capture,
): Promise<string> {
  if (part.kind === "arithmetic") {
    const source = await expandText(part.source, state, capture);
    return String(arithmetic(source, (name) => variable(state, name) ?? ""));
  }
  if (part.kind === "command") return (await capture(part.script)).replace(/\n+$/, "");
  const value = variable(state, part.name);
  if (part.fallback && (value === undefined || value === "")) return expandText(part.fallback, state, capture);
  return value ?? "";
}
