import type { User } from "@terrarium/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPreference, forgetPreferences } from "../components/preferences.ts";
import { aUser } from "../testing/factories.ts";
import { syncPreferences } from "./sync-preferences.ts";
import { SessionStore } from "./session.ts";

const isNumber = (value: unknown): value is number => typeof value === "number";
const pageSize = createPreference({ name: "test-page-size", version: 2, byDefault: 10, accepts: isNumber });

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
  localStorage.clear();
});

const token = () => `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }))}.y`;

function signedIn(front_preferences: User["front_preferences"] = {}) {
  localStorage.clear();
  const session = new SessionStore(localStorage);
  session.open({ token: token(), user: aUser({ front_preferences }) });
  return { session, ...syncingOf(session) };
}

/** What a page does with the session that it finds. */
function syncingOf(session: SessionStore) {
  const save = vi.fn(async (uuid: string, preferences: Record<string, unknown>) =>
    aUser({ uuid, front_preferences: preferences }),
  );
  const refresh = vi.fn<() => Promise<void>>(async () => undefined);
  stops.push(syncPreferences(session, { save, refresh }));
  return { save, refresh };
}

it("takes over what the account has kept, at once and whenever it is read anew", () => {
  const { session } = signedIn({ "test-page-size": { version: 2, value: 25 } });
  expect(pageSize.read()).toBe(25);
  const told = vi.fn();
  pageSize.subscribe(told);
  session.update(aUser({ front_preferences: { "test-page-size": { version: 2, value: 5 } } }));
  expect([pageSize.read(), told.mock.calls.length]).toEqual([5, 1]);
  // Of another version it is as good as none.
  session.update(aUser({ front_preferences: { "test-page-size": { version: 1, value: 7 } } }));
  expect(pageSize.read()).toBe(10);
});

it("sends what changes here, once the changes rest, beside what others have kept meanwhile", async () => {
  const { session, save, refresh } = signedIn();
  refresh.mockImplementation(async () => session.update(aUser({ front_preferences: { theirs: 1 } })));
  pageSize.write(5);
  pageSize.write(25);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save.mock.calls).toEqual([[aUser().uuid, { theirs: 1, "test-page-size": { version: 2, value: 25 } }]]);
  expect(session.current?.user.front_preferences).toHaveProperty("test-page-size");
});

it("forgets with the account what is forgotten here", async () => {
  const { save } = signedIn({ theirs: 1, "test-page-size": { version: 2, value: 25 } });
  forgetPreferences();
  expect(pageSize.read()).toBe(10);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save.mock.calls).toEqual([[aUser().uuid, { theirs: null, "test-page-size": null }]]);
});

it("forgets what was forgotten in another browser", () => {
  const { session } = signedIn({ "test-page-size": { version: 2, value: 25 } });
  session.update(aUser({ front_preferences: { "test-page-size": null } }));
  expect(pageSize.read()).toBe(10);
});

it("keeps forgotten what was not sent before the page was left", async () => {
  signedIn({ "test-page-size": { version: 2, value: 25 } });
  forgetPreferences();
  const { save } = syncingOf(new SessionStore(localStorage));
  expect(pageSize.read()).toBe(10);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save.mock.calls).toEqual([[aUser().uuid, { "test-page-size": null }]]);
});

it("keeps one's own change while it is not sent, and sends it with the next", async () => {
  const { session, save } = signedIn({ "test-page-size": { version: 2, value: 25 } });
  save.mockRejectedValueOnce(new Error("away"));
  pageSize.write(5);
  await vi.advanceTimersByTimeAsync(1_000);
  session.update(aUser({ front_preferences: { "test-page-size": { version: 2, value: 25 } } }));
  expect(pageSize.read()).toBe(5);
  createPreference({ name: "test-other", version: 1, byDefault: 0, accepts: isNumber }).write(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save.mock.calls[1]?.[1]).toEqual({
    "test-page-size": { version: 2, value: 5 },
    "test-other": { version: 1, value: 1 },
  });
});

it("keeps a change that was not sent before the page was left, and sends it from the next page", async () => {
  const theirs = { "test-page-size": { version: 2, value: 25 } };
  const { session } = signedIn(theirs);
  pageSize.write(5);
  const { save } = syncingOf(new SessionStore(localStorage));
  expect([session.current?.user.front_preferences, pageSize.read()]).toEqual([theirs, 5]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save.mock.calls).toEqual([[aUser().uuid, { "test-page-size": { version: 2, value: 5 } }]]);
  // Once it is sent, the account counts again.
  syncingOf(new SessionStore(localStorage));
  session.update(aUser({ front_preferences: theirs }));
  expect(pageSize.read()).toBe(25);
});

it("sends nothing that somebody else left unsent", async () => {
  signedIn();
  pageSize.write(5);
  const session = new SessionStore(localStorage);
  session.open({ token: token(), user: aUser({ uuid: "somebody else" }) });
  const { save } = syncingOf(session);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).not.toHaveBeenCalled();
});

it("sends nothing of one person for the next", async () => {
  const { session, save } = signedIn();
  pageSize.write(5);
  session.open({ token: token(), user: aUser({ uuid: "somebody else" }) });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).not.toHaveBeenCalled();
});
