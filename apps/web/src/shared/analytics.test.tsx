import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { queryClient, session } from "../session/client.ts";
import { publicSettings } from "../session/settings.ts";
import { aUser, someSettings } from "../testing/factories.ts";
import { patternOf, track } from "./analytics.ts";
import { analyticsConsent } from "./consent.ts";

const analytics = { collector: "https://count.fern.test/in", staff_domain: "demo.test" };
const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;

/** What the collector got. */
function collector() {
  const got: { to: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (to: string, { body }: { body: string }) => {
    got.push({ to, body: JSON.parse(body) });
    return new Response(null, { status: 204 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return got;
}
const set = (settings = someSettings({ analytics })) => queryClient.setQueryData(publicSettings.queryKey, settings);

beforeEach(() => set());
afterEach(() => {
  analyticsConsent.write(false);
  session.close();
});

describe("an event", () => {
  it("goes nowhere before somebody consents, and no more once they took that back", () => {
    const got = collector();
    track("device_started");
    expect(got).toEqual([]);
    analyticsConsent.write(true);
    track("page_viewed", { page: "/recipes" });
    expect(got).toMatchObject([
      {
        to: "https://count.fern.test/in",
        body: { event: "page_viewed", properties: { page: "/recipes" }, staff: false },
      },
    ]);
    analyticsConsent.write(false);
    track("device_started");
    expect(got).toHaveLength(1);
  });

  it("goes nowhere where the operator has no collector", () => {
    const got = collector();
    analyticsConsent.write(true);
    set(someSettings());
    track("device_started");
    expect(got).toEqual([]);
  });

  it.each([
    ["manager@demo.test", true],
    ["manager@notdemo.test", false],
    ["manager@demo.test.evil", false],
  ])("of %s is staff's: %s, and says nothing else of them", (email, staff) => {
    const got = collector();
    analyticsConsent.write(true);
    session.open({ token, user: aUser({ email }) });
    track("device_started");
    expect(got).toMatchObject([{ body: { staff } }]);
    expect(JSON.stringify(got)).not.toMatch(/manager|-4000-/);
  });

  it("that nobody knows is a warning and nothing more", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const got = collector();
    analyticsConsent.write(true);
    track("device_eaten" as never);
    expect([warn.mock.calls.length, got]).toEqual([1, []]);
  });
});

describe("the address of a page", () => {
  it("is counted without what is in it", () => {
    expect(patternOf("/instance/7f3a/stop", { uuid: "7f3a" })).toBe("/instance/:uuid/stop");
    expect(patternOf("/", {})).toBe("/");
  });
});
