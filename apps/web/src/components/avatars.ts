import { useEffect, useState, useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

/** Pixels: the largest mark, on a screen with two for each. */
const SIZE = 112;

const listeners = new Listeners();
let service: string | undefined;
/** Addresses without a picture, which are not asked for again while the page is open. */
const missing = new Set<string>();
const hashes = new Map<string, Promise<string>>();

/** Says where pictures are asked for; nowhere until then. The SHA-256 of the address follows. */
export function askForAvatarsAt(url: string | undefined): void {
  if (url === service) return;
  service = url;
  missing.clear();
  listeners.notify();
}

/** The address of somebody's picture, and what to call if there is none. Undefined where pictures are not looked up. */
export function useAvatar(email: string): { url: string; forget: () => void } | undefined {
  const from = useSyncExternalStore(listeners.subscribe, () => (missing.has(email) ? undefined : service));
  const [hash, setHash] = useState<{ of: string; is: string }>();
  useEffect(() => {
    let isOver = false;
    if (from !== undefined && mayAsk())
      void hashOf(email).then((is) => {
        if (!isOver) setHash({ of: email, is });
      });
    return () => {
      isOver = true;
    };
  }, [from, email]);
  if (from === undefined || hash?.of !== email) return undefined;
  const forget = () => {
    missing.add(email);
    listeners.notify();
  };
  // 404: what is drawn here is better than what a service draws.
  return { url: `${from}${hash.is}?d=404&s=${SIZE}`, forget };
}

/** Browsers hash only on pages that came safely: https, or this machine. */
const mayAsk = (): boolean => globalThis.isSecureContext;

function hashOf(email: string): Promise<string> {
  const known = hashes.get(email);
  if (known) return known;
  const bytes = new TextEncoder().encode(email.trim().toLowerCase());
  const hash = crypto.subtle
    .digest("SHA-256", bytes)
    .then((sum) => Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join(""));
  hashes.set(email, hash);
  return hash;
}
