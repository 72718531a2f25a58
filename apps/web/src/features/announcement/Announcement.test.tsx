import { beforeEach, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { MeContext } from "../../session/user.ts";
import { anOrganization, guest, manager, someSettings, organizationId } from "../../testing/factories.ts";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { Announcement } from "./Announcement.tsx";

beforeEach(() => sessionStorage.clear());

async function open({ me = manager, time = "2025-10-01T12:00:00.000Z", excluded = null as string | null } = {}) {
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ time, banner_excluded_organization: excluded }),
    "GET /v1/organizations/:uuid": () => ({ ...anOrganization(), os_images_supported_arch: ["arm64", "x86"] }),
  });
  const shown = await render(
    <InTestApp>
      <MeContext.Provider value={me}>
        <Announcement />
      </MeContext.Provider>
    </InTestApp>,
  );
  return { service, region: shown.getByRole("region", { name: "Announcement" }) };
}

it("goes by the service's time, and has nothing to dismiss it with", async () => {
  const { region } = await open();
  await expect.element(region).toBeVisible();
  await expect.element(region.getByRole("button")).not.toBeInTheDocument();
});

it.each([
  ["the service's time is past it", { time: "2026-04-01T00:00:00.000Z" }],
  ["one is a guest", { me: guest }],
  ["one's organization is to see none", { excluded: organizationId }],
])("is not there when %s", async (_, situation) => {
  const { service, region } = await open(situation);
  await expect.poll(() => service.to("GET", /settings/).length).toBe(1);
  await expect.element(region).not.toBeInTheDocument();
});

it("is not there when the session has acknowledged it", async () => {
  sessionStorage.setItem("terrarium.announcement-acknowledged", "1");
  const { service, region } = await open();
  await expect.poll(() => service.to("GET", /organizations/).length).toBe(1);
  await expect.element(region).not.toBeInTheDocument();
});
