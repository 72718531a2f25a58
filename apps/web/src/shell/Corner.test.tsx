import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { queryClient, session } from "../session/client.ts";
import { analyticsConsent } from "../shared/consent.ts";
import { aUser, someSettings } from "../testing/factories.ts";
import { fakeService } from "../testing/fake-service.ts";
import { InTestApp } from "../testing/InTestApp.tsx";
import Corner, { showsSupport } from "./Corner.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
const analytics = { collector: "https://count.fern.test/in", staff_domain: null };

beforeEach(async () => {
  queryClient.clear();
  await page.viewport(1280, 800);
});
afterEach(() => {
  analyticsConsent.write(false);
  session.close();
});

async function open(address: string, settings = someSettings({ has_support: true })) {
  const service = fakeService({ "GET /v1/settings": () => settings, "POST /in": () => null });
  const shown = await render(
    <InTestApp address={address} client={queryClient}>
      <Corner />
    </InTestApp>,
  );
  await expect.poll(() => queryClient.getQueryData(["settings"])).toBeTruthy();
  return { shown, service, support: shown.getByRole("button", { name: "Support" }) };
}

describe("support", () => {
  it.each([
    ["/", true],
    ["/signin", true],
    ["/legal/privacy-policy/", true],
    ["/instance/7f3a", false],
    ["/instance/7f3a/stop", false],
    ["/live-session/7f3a", false],
    ["/oops", false],
  ])("at %s has its button: %s", (path, isShown) => expect(showsSupport(path)).toBe(isShown));

  it("is a picture on a phone, which covers little, and has its name", async () => {
    await page.viewport(390, 844);
    const { support } = await open("/");
    await expect.element(support).toBeVisible();
    expect(support.element().getBoundingClientRect().width).toBe(44);
  });

  it("is a press away for visitors", async () => {
    const { shown, support } = await open("/");
    await support.click();
    await expect.element(shown.getByRole("dialog", { name: "Write to support" })).toBeVisible();
  });

  it.each([
    ["the operator has none", "/", someSettings(), false],
    ["it would cover a device", "/instance/7f3a", undefined, false],
    ["somebody signed in has it in the navigation", "/", undefined, true],
  ])("has no button here when %s", async (_, address, settings, isSignedIn) => {
    if (isSignedIn) session.open({ token, user: aUser() });
    const { support } = await open(address, settings);
    await expect.element(support).not.toBeInTheDocument();
  });
});

describe("consent", () => {
  it("is asked for once, where there is a collector, and counting begins with a yes", async () => {
    localStorage.removeItem("terrarium.consent");
    dispatchEvent(new StorageEvent("storage", { key: "terrarium.consent" }));
    const { shown, service } = await open("/", someSettings({ analytics }));
    const bar = shown.getByRole("region", { name: "Statistics" });
    await expect.element(bar).toBeVisible();
    expect(service.to("POST", /in/)).toEqual([]);
    await bar.getByRole("button", { name: "Allow", exact: true }).click();
    await expect.element(bar).not.toBeInTheDocument();
    await queryClient
      .getMutationCache()
      .build(queryClient, { mutationKey: ["recipes", "start"], mutationFn: async () => 1 })
      .execute(undefined);
    await expect
      .poll(() => service.to("POST", /in/).map(({ body }) => body))
      .toMatchObject([{ event: "device_started" }]);
  });

  it("is asked for without support lying on the answers", async () => {
    localStorage.removeItem("terrarium.consent");
    dispatchEvent(new StorageEvent("storage", { key: "terrarium.consent" }));
    const { shown, support } = await open("/", someSettings({ analytics, has_support: true }));
    const refuse = shown.getByRole("button", { name: "Do not allow" });
    await expect.element(refuse).toBeVisible();
    await expect.element(support).not.toBeInTheDocument();
    await refuse.click();
    await expect.element(support).toBeVisible();
  });

  it("is not asked for without a collector", async () => {
    localStorage.removeItem("terrarium.consent");
    dispatchEvent(new StorageEvent("storage", { key: "terrarium.consent" }));
    const { shown } = await open("/");
    await expect.element(shown.getByRole("region", { name: "Statistics" })).not.toBeInTheDocument();
  });
});
