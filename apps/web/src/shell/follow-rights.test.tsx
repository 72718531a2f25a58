import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { client, refreshUser, session } from "../session/client.ts";
import { aUser } from "../testing/factories.ts";
import { fakeService, refuse } from "../testing/fake-service.ts";
import { followRights } from "./follow-rights.ts";
import { router } from "./router.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
const here = () => router.state.location.pathname + router.state.location.search;

beforeEach(() => session.open({ token, user: aUser() }));
afterEach(async () => {
  session.close();
  await router.navigate("/oops");
});

/** Follows somebody of whom the service says `user`, with the router as the app has it. */
function follow(user: () => unknown) {
  const service = fakeService({ "GET /v1/users/:uuid": user, "GET /v2/instances": refuse("TERMS_NOT_ACCEPTED") });
  const changed = vi.fn(() => void router.revalidate());
  const end = new AbortController();
  onTestFinished(() => end.abort());
  followRights(changed, end.signal);
  return { changed, readings: () => service.to("GET", /users/).length };
}

it("reads who one is when the app is loaded, and leads to terms that are newly required", async () => {
  await router.navigate("/legal/privacy-policy/");
  await router.navigate("/launchpad");
  follow(() => aUser({ tnc_accepted: false }));
  await expect.poll(here).toBe("/terms-and-conditions/?redirect=%2Flaunchpad");
});

it("reads it again when the page comes back to the foreground", async () => {
  let isManager = true;
  const { changed, readings } = follow(() => aUser({ is_organization_manager: isManager }));
  await refreshUser();
  // That of the start, and that which is asked for here.
  expect([changed.mock.calls.length, readings()]).toEqual([0, 2]);
  isManager = false;
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.poll(() => changed.mock.calls.length).toBe(1);
  expect(session.current?.user.is_organization_manager).toBe(false);
});

it("reads it again when the service refuses what the page thinks is allowed", async () => {
  let accepted = true;
  const { changed } = follow(() => aUser({ tnc_accepted: accepted }));
  await refreshUser();
  accepted = false;
  await client.instances.list({ query: {} }).catch(() => undefined);
  await expect.poll(() => changed.mock.calls.length).toBe(1);
});

it("says nothing of another name, nor of signing in and out", async () => {
  const { changed, readings } = follow(() => aUser({ first_name: "Maria" }));
  await expect.poll(() => session.current?.user.first_name).toBe("Maria");
  session.close();
  session.open({ token, user: aUser({ is_organization_manager: false }) });
  expect([changed.mock.calls.length, readings()]).toEqual([0, 1]);
});

/** Another tab has signed in. */
function signInElsewhere(): void {
  const [newValue, key] = [JSON.stringify({ token, user: aUser() }), "terrarium.session"];
  localStorage.setItem(key, newValue);
  dispatchEvent(new StorageEvent("storage", { key, newValue }));
}

it("leads a tab that waits for a sign-in on to where it was going, once another has signed in", async () => {
  session.close();
  await router.navigate("/signin?redirect=%2Flegal%2Fprivacy-policy%2F");
  follow(() => aUser());
  signInElsewhere();
  await expect.poll(here).toBe("/legal/privacy-policy/");
});

it("leaves other forms as they are when another tab has signed in", async () => {
  session.close();
  await router.navigate("/password-reset");
  const { changed } = follow(() => aUser());
  signInElsewhere();
  expect([session.current?.token, changed.mock.calls.length]).toEqual([token, 0]);
});
