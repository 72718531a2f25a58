import { eventually } from "../support/instances.ts";

/** A server that was killed takes minutes to start again when the machine is very busy. */
const TIMEOUT_MS = 300_000;

/** `eventually`, for what may wait until the product is up again. */
export const patiently = <Value>(what: string, look: () => Promise<Value | undefined | false>): Promise<Value> =>
  eventually(what, look, TIMEOUT_MS);
