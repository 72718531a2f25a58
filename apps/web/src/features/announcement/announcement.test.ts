import { describe, expect, it } from "vitest";
import { isAnnounced } from "./announcement.ts";

const uuid = "00000000-0000-4000-8000-a00000000000";
const concerned = {
  now: Date.UTC(2025, 9, 1),
  isAcknowledged: false,
  organization: { uuid, os_images_supported_arch: ["arm64" as const, "x86" as const] },
  excluded: null,
};

describe("the announcement", () => {
  it.each([
    ["2025-09-14T23:59:59.999Z", false],
    ["2025-09-15T00:00:00.000Z", true],
    ["2025-10-01T12:00:00.000Z", true],
    ["2026-03-31T23:59:59.999Z", true],
    ["2026-04-01T00:00:00.000Z", false],
  ])("at %s is shown: %s", (time, isShown) =>
    expect(isAnnounced({ ...concerned, now: Date.parse(time) })).toBe(isShown),
  );

  it("is not shown once it was acknowledged in the session", () =>
    expect(isAnnounced({ ...concerned, isAcknowledged: true })).toBe(false));

  it("is not shown to an organization with one architecture, nor to a guest", () => {
    const organization = { uuid, os_images_supported_arch: ["arm64" as const] };
    expect(isAnnounced({ ...concerned, organization })).toBe(false);
    expect(isAnnounced({ ...concerned, organization: undefined })).toBe(false);
  });

  it("is not shown to the excluded organization, but to others", () => {
    expect(isAnnounced({ ...concerned, excluded: uuid })).toBe(false);
    expect(isAnnounced({ ...concerned, excluded: "00000000-0000-4000-8000-b00000000000" })).toBe(true);
  });
});
