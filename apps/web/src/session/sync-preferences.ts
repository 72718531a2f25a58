import type { User } from "@terrarium/contract";
import { adoptPreference, watchPreferences } from "../components/preferences.ts";
import type { SessionStore } from "./session.ts";

/** Several changes in a row are one request. */
const REST_MS = 1_000;

/** In the browser's storage: what was changed and not sent before the page was left, and by whom. */
const UNSENT = "terrarium.unsent-preferences";

interface Service {
  /** Reads the signed-in user again, into the session. */
  refresh: () => Promise<void>;
  save: (uuid: string, preferences: Record<string, unknown>) => Promise<User>;
}

/**
 * Syncs preferences with the account, so that they are the same in each browser: takes over the account's when somebody signs in or is read
 * again, and sends those that change here. What could not be sent goes with the next change, or from the next page. Returns how to stop.
 */
export function syncPreferences(session: SessionStore, { refresh, save }: Service): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let owner = session.current?.user.uuid;
  /**
   * Changed here and not sent yet. What was forgotten is null, here and with the account: other browsers would leave what is merely missing
   * as it is.
   */
  const unsent = readUnsent(owner);

  const adopt = () => {
    const user = session.current?.user;
    if (user?.uuid !== owner) {
      owner = user?.uuid;
      unsent.clear();
      writeUnsent(owner, unsent);
    }
    for (const [name, saved] of Object.entries(user?.front_preferences ?? {}))
      if (!unsent.has(name)) adoptPreference(name, saved);
  };
  const send = async () => {
    // Another browser may have saved others meanwhile.
    await refresh();
    const user = session.current?.user;
    if (!user || user.uuid !== owner || unsent.size === 0) return;
    const sent = new Map(unsent);
    const saved = await save(user.uuid, { ...user.front_preferences, ...Object.fromEntries(sent) });
    for (const [name, value] of sent) if (unsent.get(name) === value) unsent.delete(name);
    writeUnsent(owner, unsent);
    if (session.current?.user.uuid === saved.uuid) session.update(saved);
  };

  const sendSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void send().catch(() => undefined), REST_MS);
  };
  const stops = [
    watchPreferences((name, saved) => {
      if (!session.current) return;
      unsent.set(name, saved ?? null);
      writeUnsent(owner, unsent);
      sendSoon();
    }),
    session.subscribe(adopt),
    () => clearTimeout(timer),
  ];
  adopt();
  if (unsent.size > 0) sendSoon();
  return () => {
    for (const stop of stops) stop();
  };
}

function readUnsent(owner: string | undefined): Map<string, unknown> {
  try {
    const left = JSON.parse(localStorage.getItem(UNSENT) ?? "null") as { owner?: unknown; changes?: object } | null;
    return new Map(owner !== undefined && left?.owner === owner ? Object.entries(left.changes ?? {}) : []);
  } catch {
    return new Map();
  }
}

function writeUnsent(owner: string | undefined, unsent: ReadonlyMap<string, unknown>): void {
  try {
    if (unsent.size === 0) localStorage.removeItem(UNSENT);
    else localStorage.setItem(UNSENT, JSON.stringify({ owner, changes: Object.fromEntries(unsent) }));
  } catch {
    // A full or closed storage only means that it is sent from this page or not at all.
  }
}
