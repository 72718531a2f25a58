import type { Files } from "../files/files.ts";

/** What one shell remembers between commands. */
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

/** A subshell: what it changes stays in it. */
export const forkState = (state: ShellState): ShellState => ({
  ...state,
  variables: new Map(state.variables),
  exported: new Set(state.exported),
});
