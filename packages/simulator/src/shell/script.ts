/** A piece of a word, before expansion. */
export type Part =
  | { kind: "text"; text: string; quoted: boolean }
  | { kind: "variable"; name: string; quoted: boolean; fallback: Word | undefined }
  | { kind: "command"; script: Script; quoted: boolean }
  | { kind: "arithmetic"; source: Word; quoted: boolean };
export type Word = Part[];

export interface Redirect {
  /** File descriptor that is redirected: 0, 1 or 2. */
  from: number;
  kind: "read" | "write" | "append" | "duplicate" | "here";
  target: Word;
}

export type Node =
  | { kind: "simple"; assignments: { name: string; value: Word }[]; words: Word[]; redirects: Redirect[] }
  | { kind: "group"; body: Script; subshell: boolean; redirects: Redirect[] }
  | { kind: "if"; branches: { test: Script; body: Script }[]; otherwise: Script; redirects: Redirect[] }
  | { kind: "loop"; test: Script; until: boolean; body: Script; redirects: Redirect[] }
  | { kind: "for"; name: string; words: Word[]; body: Script; redirects: Redirect[] };

export interface Pipeline {
  negated: boolean;
  stages: Node[];
}

/** Pipelines in order, each with the condition on the previous status under which it runs. */
export type Script = { when: "always" | "success" | "failure"; pipeline: Pipeline }[];

/** A syntax error. `unfinished` says that more lines might complete the script. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly unfinished: boolean;
  constructor(message: string, unfinished = false) {
    super(message);
    this.unfinished = unfinished;
  }
}
