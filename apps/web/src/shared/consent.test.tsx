import { beforeEach, expect, it, vi } from "vitest";
import type { analyticsConsent } from "./consent.ts";

const KEY = "terrarium.consent";

beforeEach(() => localStorage.removeItem(KEY));

/** As a browser that has just loaded the page finds it. */
async function consentNow() {
  // A module is loaded once for each address.
  const module = (await import(/* @vite-ignore */ `./consent.ts?${++loads}`)) as Consent;
  return module.analyticsConsent;
}
interface Consent {
  analyticsConsent: typeof analyticsConsent;
}
let loads = 0;

it("is not given until somebody says so, and is remembered", async () => {
  const consent = await consentNow();
  expect(consent.read()).toBe(false);
  consent.write(true);
  expect([consent.read(), (await consentNow()).read()]).toEqual([true, true]);
  consent.write(false);
  expect((await consentNow()).read()).toBe(false);
});

it.each([["{"], ['{"version":0,"analytics":true}'], ['{"version":1,"analytics":"yes"}'], ["true"]])(
  "is not given by %s",
  async (kept) => {
    localStorage.setItem(KEY, kept);
    expect((await consentNow()).read()).toBe(false);
  },
);

it("follows what is said in another tab", async () => {
  const consent = await consentNow();
  const heard = vi.fn();
  consent.subscribe(heard);
  localStorage.setItem(KEY, '{"version":1,"analytics":true}');
  globalThis.dispatchEvent(new StorageEvent("storage", { key: KEY }));
  expect([consent.read(), heard.mock.calls.length]).toEqual([true, 1]);
});

it("is asked for until it was answered, either way", async () => {
  const consent = await consentNow();
  dispatchEvent(new StorageEvent("storage", { key: KEY }));
  expect(consent.isAnswered()).toBe(false);
  consent.write(false);
  expect([consent.isAnswered(), (await consentNow()).isAnswered()]).toEqual([true, true]);
});
