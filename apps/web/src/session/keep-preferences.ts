import type { User } from "@terrarium/contract";
import { adoptPreference, watchPreferences } from "../components/preferences.ts";
import type { SessionStore } from "./session.ts";

/** Several changes in a row are one request. */
const REST_MS = 1_000;

interface Service {
  /** Reads who is signed in anew, into the session. */
  refresh: () => Promise<void>;
  keep: (uuid: string, preferences: Record<string, unknown>) => Promise<User>;
}

/**
 * Keeps preferences with the account, so that they are the same in each browser: takes over the account's when somebody signs in or
 * is read anew, and sends those that change here. What could not be sent goes with the next change.
 */
export function keepPreferences(session: SessionStore, { refresh, keep }: Service): void {
  /** Changed here and not sent yet. */
  const unsent = new Map<string, unknown>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let owner = session.current?.user.uuid;

  const adopt = () => {
    const user = session.current?.user;
    if (user?.uuid !== owner) unsent.clear();
    owner = user?.uuid;
    for (const [name, kept] of Object.entries(user?.front_preferences ?? {}))
      if (!unsent.has(name)) adoptPreference(name, kept);
  };
  const send = async () => {
    // Another browser may have kept others meanwhile.
    await refresh();
    const user = session.current?.user;
    if (!user || user.uuid !== owner || unsent.size === 0) return;
    const sent = new Map(unsent);
    const kept = await keep(user.uuid, { ...user.front_preferences, ...Object.fromEntries(sent) });
    for (const [name, value] of sent) if (unsent.get(name) === value) unsent.delete(name);
    if (session.current?.user.uuid === kept.uuid) session.update(kept);
  };

  watchPreferences((name, kept) => {
    if (!session.current) return;
    unsent.set(name, kept);
    clearTimeout(timer);
    timer = setTimeout(() => void send().catch(() => undefined), REST_MS);
  });
  session.subscribe(adopt);
  adopt();
}
