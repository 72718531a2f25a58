import { Listeners } from "./listeners.ts";

/** Long enough to read two lines. */
const SNACK_MS = 5000;

export const snackTypes = ["dark", "default", "error", "info", "success", "warning"] as const;
export type SnackType = (typeof snackTypes)[number];

/** What a snack offers: a page to go to, or something to do. */
export type SnackAction = { label: string } & ({ to: string; run?: never } | { run: () => void; to?: never });

export interface Snack {
  id: number;
  type: SnackType;
  message: string;
  /** The next step after a success, or the way out of an error. */
  action?: SnackAction | undefined;
  /** An error that needs an act stays until it is closed. */
  timeoutMs: number | undefined;
}

let snacks: Snack[] = [];
let nextId = 1;
const listeners = new Listeners();
const change = (next: Snack[]) => {
  snacks = next;
  listeners.notify();
};

export const readSnacks = (): Snack[] => snacks;
export const watchSnacks = listeners.subscribe;
export const closeSnack = (id: number): void => change(snacks.filter((snack) => snack.id !== id));

/** Shows a message at the bottom left. The same one twice is one. Answers how to take it back, for trouble that passes. */
export function snack(type: SnackType, message: string, action?: SnackAction): () => void {
  if (!snackTypes.includes(type)) throw new Error(`there is no snack type ${type as string}`);
  const shown = snacks.find((each) => each.message === message && each.type === type);
  if (shown) return () => closeSnack(shown.id);
  const id = nextId++;
  const timeoutMs = type === "error" && action ? undefined : SNACK_MS;
  change([...snacks, { id, type, message, action, timeoutMs }].slice(-3));
  return () => closeSnack(id);
}
