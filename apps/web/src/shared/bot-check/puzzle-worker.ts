import { sha256 } from "@noble/hashes/sha2.js";
import type { Puzzle } from "@terrarium/contract";
import { type DeriveKeyFunction, solveChallenge } from "altcha-lib";

/**
 * As ALTCHA's SHA-256: the salt and the number are hashed, and then each hash again. Not by the browser's own functions, which pages without
 * TLS do not have, and which are slow for so short texts.
 */
const deriveKey: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => {
  let key = new Uint8Array([...salt, ...password]);
  for (let times = 0; times < cost; times++) key = sha256(key);
  return { derivedKey: key.slice(0, keyLength) };
};

self.addEventListener("message", ({ data }: MessageEvent<Puzzle>) => {
  // On a slow phone it takes as long as it takes.
  void solveChallenge({ challenge: data, deriveKey, timeout: 0 }).then((solution) =>
    self.postMessage(solution, { transfer: [] }),
  );
});
