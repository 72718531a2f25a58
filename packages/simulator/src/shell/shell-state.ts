import type { Files } from "../files/files.ts";
import { ScriptError } from "./script.ts";

const MAX_VARIABLE_CHARS = 128 * 1024;
const MAX_VARIABLES = 512;

/** The state of a shell between commands. */
export interface ShellState {
  cwd: string;
  variables: Map<string, string>;
  exported: Set<string>;
  files: Files;
  /** Exit code of the last pipeline: `$?`. */
  status: number;
  pid: number;
}

export function createShellState(files: Files, variables: Record<string, string>, pid: number): ShellState {
  return {
    cwd: "/",
    variables: new Map(Object.entries(variables)),
    exported: new Set(Object.keys(variables)),
    files,
    status: 0,
    pid,
  };
}

/** The state of a subshell, whose changes do not reach its parent. */
export const forkState = (state: ShellState): ShellState => ({
  ...state,
  variables: new Map(state.variables),
  exported: new Set(state.exported),
});

/** Sets a variable. They take memory of the whole process, so their number and length are limited. Throws `ScriptError`. */
export function setVariable(state: ShellState, name: string, value: string): void {
  const isNew = !state.variables.has(name);
  if (value.length > MAX_VARIABLE_CHARS || (isNew && state.variables.size >= MAX_VARIABLES))
    throw new ScriptError(`${name}: out of memory`);
  state.variables.set(name, value);
}
