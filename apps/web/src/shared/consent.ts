import { Listeners } from "../components/listeners.ts";

/** Not among the preferences, which go to every browser of the account: consent is given in one browser, for that browser. */
const KEY = "terrarium.consent";

/** Raised when what people consent to changes: then they are asked again. */
const VERSION = 1;

interface Stored {
  version: number;
  analytics: boolean;
}

const listeners = new Listeners();
let current = load();

/** Undefined as long as nobody has answered. */
function load(): boolean | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Stored> | null;
    return stored?.version === VERSION ? stored.analytics === true : undefined;
  } catch {
    return undefined;
  }
}

// Given or taken back in another tab.
globalThis.addEventListener("storage", ({ key }) => {
  if (key !== KEY && key !== null) return;
  current = load();
  listeners.notify();
});

/** Whether whoever uses this browser lets the service count what they use. Nobody does until they say so. */
export const analyticsConsent = {
  read: (): boolean => current === true,
  /** Whether somebody has said yes or no, so that they are not asked again. */
  isAnswered: (): boolean => current !== undefined,
  write(isGiven: boolean): void {
    current = isGiven;
    try {
      localStorage.setItem(KEY, JSON.stringify({ version: VERSION, analytics: isGiven } satisfies Stored));
    } catch {
      // Without a storage it holds until the page is left.
    }
    listeners.notify();
  },
  subscribe: listeners.subscribe,
};
