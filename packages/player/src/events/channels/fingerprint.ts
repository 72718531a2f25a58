import { oneOf, words } from "../words.ts";

const results = ["recognized", "unrecognized", "dirty", "too_fast", "partial", "insufficient"] as const;
export type FingerprintResult = (typeof results)[number];

export type FingerprintCommand =
  | { type: "fingerprintScan"; result: FingerprintResult }
  | { type: "fingerprintAuto"; on: boolean };

/** `scan recognized`, `set auto_recognize true`. */
export function parseFingerprint(command: string): FingerprintCommand | undefined {
  if (command === "set auto_recognize true") return { type: "fingerprintAuto", on: true };
  if (command === "set auto_recognize false") return { type: "fingerprintAuto", on: false };
  const [scan, word, ...more] = words(command, 3).words;
  const result = scan === "scan" && more.length === 0 ? oneOf(results, word) : undefined;
  return result && { type: "fingerprintScan", result };
}
