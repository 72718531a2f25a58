import type { Capture } from "@terrarium/contract";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { forgetPreferences } from "../../components/preferences.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { aCapture, captureRoutes } from "../../shared/captures/testing/a-capture.ts";
import { MeContext } from "../../session/user.ts";
import { aUser, manager, user } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { aReplayFile } from "../../testing/replay.ts";
import CapturesPage from "./CapturesPage.tsx";

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await page.viewport(1440, 900);
});

async function open(
  captures: Capture[],
  answers: Parameters<typeof fakeService>[0] = {},
  address = "/captures",
  me = manager,
) {
  const service = fakeService({ ...captureRoutes(captures), ...answers });
  const screen = await render(
    <InTestApp address={address}>
      <MeContext.Provider value={me}>
        <CapturesPage />
        <Snacks />
      </MeContext.Provider>
    </InTestApp>,
  );
  return { screen, service };
}

const still = () => aCapture({ kind: "screenshot", media_type: "image/png", duration_ms: null, instance_name: "moss" });

describe("the captures", () => {
  it("are listed with their length and size, and how much room there is", async () => {
    const { screen } = await open([aCapture(), still()]);
    await expect.element(screen.getByRole("row", { name: /Recording.*fern.*0:42.*1\.5 MB/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /Screenshot.*moss.*–/ })).toBeVisible();
    await expect
      .element(screen.getByText(/You use 512 MB of your share of 1 GB, your organization 1\.5 GB of 2 GB\./))
      .toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it("are narrowed by their kind, which is in the address", async () => {
    const { screen, service } = await open([aCapture(), still()], {}, "/captures?kind=screenshot");
    await expect.element(screen.getByRole("row", { name: /moss/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /fern/ })).not.toBeInTheDocument();
    expect(service.to("GET", /captures$/).some(({ query }) => query.get("kind") === "screenshot")).toBe(true);
  });

  it("are played here, as long as they are, with the token where it belongs", async () => {
    const { screen, service } = await open([aCapture()]);
    await screen.getByRole("button", { name: "Open Recording of fern" }).click();
    const video = await vi.waitFor(() => {
      const found = document.querySelector("video");
      if (!found || found.readyState < 2) throw new Error("not yet");
      return found;
    });
    expect([video.videoWidth, video.videoHeight, video.duration]).toEqual([360, 640, 2.5]);
    video.pause();
    const colourAt = async (seconds: number) => {
      video.currentTime = seconds;
      await new Promise((resolve) => video.addEventListener("seeked", resolve, { once: true }));
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [1, 1];
      const context = canvas.getContext("2d");
      context?.drawImage(video, 0, 0, 1, 1);
      const [red = 0, , blue = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
      return red > blue ? "red" : "blue";
    };
    expect([await colourAt(0.9), await colourAt(1.1), await colourAt(2.4)]).toEqual(["red", "blue", "blue"]);
    const [file] = service.to("GET", /file$/);
    expect([video.src.slice(0, 5), String(file?.query)]).toEqual(["blob:", ""]);
  });

  it("show of a replay what happened, end the link to it, and save the picture alone", async () => {
    let expires_at: string | null = "2026-03-09T09:41:00.000Z";
    const { screen, service } = await open([aCapture({ kind: "replay" })], {
      "GET /v1/captures/:uuid/file": () => new Response(aReplayFile()),
      "GET /v1/captures/:uuid/link": () => ({ expires_at }),
      "DELETE /v1/captures/:uuid/link": () => {
        expires_at = null;
        return new Response(null, { status: 204 });
      },
    });
    await screen.getByRole("button", { name: "Open Replay of fern" }).click();
    await expect.element(screen.getByRole("option", { name: /Swiped up from/ })).toBeVisible();
    await expect.element(screen.getByText(/^Shared by a link until/)).toBeVisible();
    await screen.getByRole("button", { name: "End this link" }).click();
    await expect.element(screen.getByText(/^Shared by a link until/)).not.toBeInTheDocument();
    expect(service.to("DELETE", /link$/)).toHaveLength(1);
    const files: Blob[] = [];
    const link = vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
      files.push(file as Blob);
      return "blob:none";
    });
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    await screen.getByRole("button", { name: "Download as MP4" }).click();
    await vi.waitFor(() => expect(click).toHaveBeenCalledOnce());
    click.mockRestore();
    link.mockRestore();
    expect(await files.at(-1)?.text()).toMatch(/ftyp[^]*moov/);
    expect(await files.at(-1)?.text()).not.toContain("Fern");
  });

  it("say that a file did not load, and try again", async () => {
    let isBroken = true;
    const { screen } = await open([aCapture()], {
      "GET /v1/captures/:uuid/file": () =>
        isBroken ? refuse("CAPTURE_NOT_FOUND")() : captureRoutes([])["GET /v1/captures/:uuid/file"](),
    });
    await screen.getByRole("button", { name: "Open Recording of fern" }).click();
    await expect.element(screen.getByText("The file did not load.")).toBeVisible();
    isBroken = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await vi.waitFor(() => expect(document.querySelector("video")).not.toBeNull());
  });

  it("are deleted once that was confirmed", async () => {
    const { screen } = await open([aCapture(), still()]);
    await screen.getByRole("button", { name: "Delete Recording of fern" }).click();
    await expect.element(screen.getByRole("heading", { name: "Delete this recording of fern?" })).toBeVisible();
    await screen.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.element(screen.getByRole("row", { name: /fern/ })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("row", { name: /moss/ })).toBeVisible();
  });

  it("of others are a manager’s to delete, not to open", async () => {
    const owner = aUser({ uuid: "3c1f5a60-0000-4000-8000-000000000009", first_name: "Kim", last_name: "Moss" });
    const { screen, service } = await open([aCapture(), still(), aCapture({ owner, instance_name: "ivy" })]);
    const isWide = () => service.to("GET", /captures$/).some(({ query }) => query.get("organization_wide") === "true");
    await vi.waitFor(() => expect(isWide()).toBe(true));
    await expect.element(screen.getByRole("row", { name: /ivy.*Kim Moss/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /fern.*You/ })).toBeVisible();
    const show = screen.getByRole("button", { name: "Open Recording of ivy" });
    await expect.element(show).toHaveAttribute("aria-disabled", "true");
    await expect
      .element(screen.getByRole("button", { name: "Open Recording of fern" }))
      .not.toHaveAttribute("aria-disabled");
    await screen.getByRole("row", { name: /ivy/ }).dblClick();
    expect(service.to("GET", /file$/)).toEqual([]);
    await screen.getByRole("button", { name: "Delete Recording of ivy" }).click();
    await expect.element(screen.getByText("It was made by Kim Moss, who may still need it.")).toBeVisible();
    await screen.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.element(screen.getByRole("row", { name: /ivy/ })).not.toBeInTheDocument();
  });

  it("of a manager’s own are chosen, and that stays", async () => {
    const { screen, service } = await open([aCapture()]);
    onTestFinished(() => forgetPreferences());
    await screen.getByRole("button", { name: "My captures" }).click();
    const last = () => service.to("GET", /captures$/).findLast(({ query }) => query.get("page_size") !== "1")?.query;
    await vi.waitFor(() => expect(last()?.get("organization_wide")).toBeNull());
    await screen.unmount();
    const again = await open([aCapture()]);
    await expect.element(again.screen.getByRole("row", { name: /fern/ })).toBeVisible();
    expect(again.service.calls.some(({ query }) => query.get("organization_wide") === "true")).toBe(false);
  });

  it("of others are not a user’s to see", async () => {
    const { screen } = await open([aCapture()], {}, "/captures?whose=organization", user);
    await expect.element(screen.getByRole("row", { name: /fern/ })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Organization" })).not.toBeInTheDocument();
  });

  it("are none at first, and say when they did not load", async () => {
    const { screen } = await open([]);
    await expect.element(screen.getByText("Nothing was captured yet")).toBeVisible();
    await screen.unmount();
    const failed = await open([], { "GET /v1/captures": refuse("INTERNAL_ERROR") });
    await expect.element(failed.screen.getByText("Captures did not load.")).toBeVisible();
  });
});
