/** `exit` was typed: the shell ends with this code. */
export class Exit extends Error {
  override readonly name = "Exit";
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** `break` or `continue` was typed, for this many loops. */
export class LoopJump extends Error {
  override readonly name = "LoopJump";
  readonly kind: "break" | "continue";
  levels: number;
  constructor(kind: "break" | "continue", levels: number) {
    super(kind);
    this.kind = kind;
    this.levels = levels;
  }
}
