import { fakePlayer } from "@terrarium/sdk/display/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../../components/snack-queue.ts";
import { queryClient } from "../../../session/client.ts";
import { FakeSocket } from "../../../shared/miniatures/testing/fake-socket.ts";
import { anInstance } from "../../../testing/factories.ts";
import { aReplayFile } from "../../../testing/replay.ts";
import { OnlineDisplay } from "../OnlineDisplay.tsx";
import { framedAt } from "../testing/Framed.tsx";

const fetch = vi.spyOn(globalThis, "fetch");
beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  queryClient.clear();
  fetch.mockReset();
});

/** The code of the dialog comes when it is opened. */
const CODE_ARRIVES = { timeout: 5_000 };

/** One's own device at this address, and how the service answers what has just happened. */
async function show(address: string, answer: (socket: FakeSocket) => void | Promise<void>, isOwn = true) {
  fetch.mockImplementation(async () => Response.json({ access_token: "t", expires_at: "2026-03-02T10:00:00Z" }));
  const asked: unknown[] = [];
  const sockets: FakeSocket[] = [];
  class ToolEnd extends FakeSocket {
    constructor(url: string) {
      super(url);
      if (!url.endsWith("/tools")) return;
      queueMicrotask(() => {
        this.open();
        sockets.push(this);
        asked.push(JSON.parse(this.sent[0] ?? "{}"));
        void answer(this);
      });
    }
  }
  vi.stubGlobal("WebSocket", ToolEnd);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { openPlayer } = fakePlayer();
  const { router, page: shown } = framedAt(
    address,
    <main style={{ display: "flex", height: 700 }}>
      <OnlineDisplay
        instance={anInstance({ name: "fern" })}
        tools={isOwn ? { onUpload: vi.fn(), arrived: 0 } : undefined}
        openPlayer={openPlayer}
      />
    </main>,
  );
  return { screen: await render(shown), router, asked, sockets };
}

const say = (socket: FakeSocket, message: object) =>
  socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));

/** Is there, and sends its file when it is asked to. */
async function sendReplay(socket: FakeSocket) {
  const file = new Uint8Array(await aReplayFile().arrayBuffer());
  say(socket, { type: "READY" });
  await vi.waitFor(() => expect(requestsTo(socket)).toEqual([{ id: 1, do: "read" }]));
  socket.show(file.slice(0, 100));
  socket.show(file.slice(100));
  say(socket, { id: 1, size: file.length });
}

const requestsTo = (socket: FakeSocket) => socket.sent.slice(1).map((text) => JSON.parse(text) as object);

const refuse = (socket: FakeSocket) => void say(socket, { type: "FAIL", error: { code: "missing" } });

/** The replay is there, and its video can be sought in. */
async function opened(address = "/?tool=replay") {
  const shown = await show(address, sendReplay);
  const { screen } = shown;
  const position = screen.getByRole("slider", { name: "Position" });
  await expect.element(position, CODE_ARRIVES).toBeVisible();
  const video = screen.getByLabelText(/^Screen of fern at/).element() as HTMLVideoElement;
  await vi.waitFor(() => expect(video.readyState).toBeGreaterThan(1));
  return { ...shown, position, video };
}

/** The colour in the middle of the picture. */
function colourOf(video: HTMLVideoElement): string {
  const context = new OffscreenCanvas(1, 1).getContext("2d")!;
  context.drawImage(video, 16, 24, 1, 1, 0, 0, 1, 1);
  const [red = 0, , blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return red > blue ? "red" : "blue";
}

describe("what just happened", () => {
  it("opens from the toolbar, with its key, and closes to where one was", async () => {
    const { screen, router, asked } = await show("/", sendReplay);
    const button = screen.getByRole("button", { name: "What just happened?" });
    button.element().focus();
    await userEvent.keyboard("w");
    await expect
      .element(screen.getByRole("dialog", { name: "What just happened on fern" }), CODE_ARRIVES)
      .toBeVisible();
    expect(asked).toEqual([{ token: "t", tool: "replay" }]);
    expect(router.state.location.search).toContain("tool=replay");
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(router.state.location.search).not.toContain("replay"));
  });

  it("is nothing for who takes part", async () => {
    const { screen, asked } = await show("/?tool=replay", sendReplay, false);
    await expect.element(screen.getByRole("button", { name: "Full screen" })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "What just happened?" })).not.toBeInTheDocument();
    expect(asked).toEqual([]);
  });

  it("shows the picture of its time, with the touches and the lines of then", async () => {
    const { screen, position, video } = await opened();
    await expect.element(position).toHaveAttribute("aria-valuetext", "0:10.0 of 0:20.0");
    await vi.waitFor(() => expect(colourOf(video)).toBe("blue"));
    const list = screen.getByRole("listbox", { name: "What happened" });
    await list.getByRole("option", { name: /Swiped up from/ }).click();
    await expect.element(position).toHaveAttribute("aria-valuetext", "0:01.0 of 0:20.0");
    await vi.waitFor(() => expect(colourOf(video)).toBe("red"));
    expect(screen.getByTestId("touch").elements()).toHaveLength(1);
    list.element().focus();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(list.getByRole("option", { selected: true })).toHaveTextContent("0:03.0Typed on the keyboard");
    await userEvent.keyboard("{ArrowUp}{ArrowUp}");
    await expect.element(position).toHaveAttribute("aria-valuetext", "0:01.0 of 0:20.0");
    await screen.getByRole("button", { name: "Log", exact: true }).click();
    await expect.element(list.getByRole("option", { name: /Swiped/ })).not.toBeInTheDocument();
    await list.getByRole("option", { name: /a leaf fell/ }).click();
    await vi.waitFor(() => expect(colourOf(video)).toBe("blue"));
    await vi.waitFor(() => expect(screen.getByTestId("touch").elements()).toHaveLength(0));
  });

  it("is scrubbed and played by keys", async () => {
    const { position, video } = await opened();
    await expect.element(position).toHaveFocus();
    const at = () => position.element().getAttribute("aria-valuetext")?.split(" ")[0];
    await userEvent.keyboard("{ArrowLeft}");
    expect(at()).toBe("0:09.0");
    await userEvent.keyboard("{Shift>}{ArrowRight}{/Shift}{ArrowRight}");
    expect(at()).toBe("0:15.0");
    for (let press = 0; press < 6; press++) await userEvent.keyboard("{ArrowRight}");
    expect(at()).toBe("0:20.0");
    // At the end it begins anew.
    await userEvent.keyboard(" ");
    await vi.waitFor(() => expect(video.paused).toBe(false));
    await vi.waitFor(() => expect(video.currentTime).toBeLessThan(10));
    await userEvent.keyboard(" ");
    await vi.waitFor(() => expect(video.paused).toBe(true));
  });

  it("is downloaded, and reported", async () => {
    const { screen } = await opened();
    const saved: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    onTestFinished(() => click.mockRestore());
    await screen.getByRole("button", { name: "Download as MP4" }).click();
    await screen.getByRole("button", { name: "Download as JSON" }).click();
    await screen.getByRole("button", { name: "Report a bug" }).click();
    const report = screen.getByRole("textbox", { name: "Report, as Markdown" });
    await expect.element(report).toHaveValue(expect.stringContaining("Pressed Back"));
    await screen.getByRole("button", { name: "Download", exact: true }).click();
    expect(saved).toEqual(["mp4", "json", "md"].map((ending) => `fern 2026-03-02 09.41.00.${ending}`));
  });

  it("is saved, once", async () => {
    const { screen, sockets } = await opened();
    await screen.getByRole("button", { name: "Save", exact: true }).click();
    await vi.waitFor(() => expect(requestsTo(sockets[0]!).slice(1)).toEqual([{ id: 2, do: "save" }]));
    say(sockets[0]!, { id: 2, error: { code: "full" } });
    await expect.element(screen.getByText(/There is no room for more captures/)).toBeVisible();
    await screen.getByRole("button", { name: "Save", exact: true }).click();
    await vi.waitFor(() => expect(requestsTo(sockets[0]!)).toHaveLength(3));
    say(sockets[0]!, { id: 3, capture: {} });
    await expect.element(screen.getByText("Saved among your captures")).toBeVisible();
    await screen.getByRole("button", { name: "Saved", exact: true }).click({ force: true });
    expect(requestsTo(sockets[0]!)).toHaveLength(3);
    for (const { id } of readSnacks()) closeSnack(id);
  });

  it("is saved and shared by a link, which is ended again", async () => {
    const { screen, sockets } = await opened();
    await screen.getByRole("button", { name: "Share", exact: true }).click();
    await screen.getByRole("button", { name: "7 days" }).click();
    const calls: [string, string, unknown][] = [];
    fetch.mockImplementation(async (input, init) => {
      const { url, method } = new Request(input, init);
      calls.push([method, new URL(url).pathname, init?.body]);
      return method === "DELETE"
        ? new Response(null, { status: 204 })
        : Response.json({ key: "k3y", expires_at: "2026-03-09T09:41:00.000Z" }, { status: 201 });
    });
    await screen.getByRole("button", { name: "Create link" }).click();
    await vi.waitFor(() => expect(requestsTo(sockets[0]!).at(-1)).toEqual({ id: 2, do: "save" }));
    say(sockets[0]!, { id: 2, capture: { uuid: "c1" } });
    await expect.element(screen.getByRole("textbox", { name: "Link" })).toHaveValue(`${location.origin}/replay/k3y`);
    await screen.getByRole("button", { name: "End this link" }).click();
    await expect.element(screen.getByRole("button", { name: "Create link" })).toBeVisible();
    expect(calls).toEqual([
      ["POST", "/cloud/v1/captures/c1/link", JSON.stringify({ hours: 168 })],
      ["DELETE", "/cloud/v1/captures/c1/link", undefined],
    ]);
    await expect.element(screen.getByText("Saved", { exact: true })).toBeInTheDocument();
    for (const { id } of readSnacks()) closeSnack(id);
  });

  it("is kept once when it is saved and shared at once", async () => {
    const { screen, sockets } = await opened();
    await screen.getByRole("button", { name: "Save", exact: true }).click();
    await screen.getByRole("button", { name: "Share", exact: true }).click();
    const asked: string[] = [];
    fetch.mockImplementation(async (input, init) => {
      asked.push(new URL(new Request(input, init).url).pathname);
      return Response.json({ key: "k3y", expires_at: "2026-03-09T09:41:00.000Z" }, { status: 201 });
    });
    await screen.getByRole("button", { name: "Create link" }).click();
    say(sockets[0]!, { id: 2, capture: { uuid: "c1" } });
    await expect.element(screen.getByRole("textbox", { name: "Link" })).toHaveValue(`${location.origin}/replay/k3y`);
    expect(requestsTo(sockets[0]!).slice(1)).toEqual([{ id: 2, do: "save" }]);
    expect(asked).toEqual(["/cloud/v1/captures/c1/link"]);
    for (const { id } of readSnacks()) closeSnack(id);
  });

  it("is neither saved nor shared when its connection was lost, and says why", async () => {
    const { screen, sockets } = await opened();
    sockets[0]!.end(1006);
    for (const name of ["Save", "Share"]) {
      const button = screen.getByRole("button", { name, exact: true });
      await expect.element(button).toHaveAttribute("aria-disabled", "true");
      await expect.element(button).toHaveAttribute("aria-description", expect.stringContaining("Read it again"));
      await button.click({ force: true });
    }
    expect(screen.getByRole("button", { name: "Create link" }).elements()).toEqual([]);
    expect(requestsTo(sockets[0]!)).toHaveLength(1);
  });

  it("says so when there is no picture yet, and reads again", async () => {
    let answer = refuse as (socket: FakeSocket) => void | Promise<void>;
    const { screen } = await show("/?tool=replay", (socket) => answer(socket));
    await expect.element(screen.getByText("There is no picture yet."), CODE_ARRIVES).toBeVisible();
    answer = sendReplay;
    await screen.getByRole("button", { name: "Read it again" }).click();
    await expect.element(screen.getByRole("slider", { name: "Position" })).toBeVisible();
  });

  it("says what went wrong", async () => {
    const { screen } = await show("/?tool=replay", (socket) => socket.end(1006));
    await expect.element(screen.getByText("The connection to the device was lost."), CODE_ARRIVES).toBeVisible();
  });

  it("fits a phone", async () => {
    await page.viewport(390, 844);
    const { screen } = await opened();
    const dialog = screen.getByRole("dialog", { name: "What just happened on fern" }).element();
    expect(dialog.getBoundingClientRect()).toMatchObject({ width: 390, height: 844 });
    expect(dialog.scrollWidth).toBe(390);
    for (const name of ["Play", "Report a bug", "Download as MP4"])
      expect(screen.getByRole("button", { name }).element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
  });
});
