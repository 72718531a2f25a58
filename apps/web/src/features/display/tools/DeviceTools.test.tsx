import { fakePlayer } from "@terrarium/sdk/display/testing";
import { beforeEach, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "../../../session/client.ts";
import { closeSnack, readSnacks } from "../../../components/snack-queue.ts";
import { aCapture, captureRoutes } from "../../../shared/captures/testing/a-capture.ts";
import { fakeService } from "../../../testing/fake-service.ts";
import { FakeSocket } from "../../../shared/miniatures/testing/fake-socket.ts";
import { anInstance } from "../../../testing/factories.ts";
import { nameless } from "../../../testing/names.ts";
import { OnlineDisplay } from "../OnlineDisplay.tsx";
import { toolsWidth } from "./tools-width.ts";
import { framedAt } from "../testing/Framed.tsx";

const fetch = vi.spyOn(globalThis, "fetch");
beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  queryClient.clear();
  fetch.mockReset();
  for (const { id } of readSnacks()) closeSnack(id);
});

/** The code of a tool comes when it is opened. */
const CODE_ARRIVES = { timeout: 5_000 };
const utf8 = new TextEncoder();

const tools = { onUpload: vi.fn(), arrived: 0 };

/** One's own device, and the service's end of the sockets of its tools. */
async function show(address: string, hasTools = true) {
  fetch.mockImplementation(async () => Response.json({ access_token: "t", expires_at: "2026-03-02T10:00:00Z" }));
  const sockets: ToolEnd[] = [];
  class ToolEnd extends FakeSocket {
    constructor(url: string) {
      super(url);
      if (!url.endsWith("/tools")) return;
      sockets.push(this);
      queueMicrotask(() => this.open());
    }
    /** What was said after the token, and what was typed. */
    get said(): unknown[] {
      return this.sent
        .slice(1)
        .map((each: unknown) =>
          typeof each === "string" ? (JSON.parse(each) as object) : new TextDecoder().decode(each as Uint8Array),
        );
    }
    get tool(): unknown {
      return (JSON.parse(this.sent[0] ?? "{}") as { tool?: string }).tool;
    }
    say(message: object): void {
      this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
    }
    print(text: string): void {
      this.show(utf8.encode(text));
    }
  }
  vi.stubGlobal("WebSocket", ToolEnd);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { openPlayer, connections } = fakePlayer();
  const instance = anInstance({ name: "fern" });
  const { router, page: shown } = framedAt(
    address,
    <main style={{ display: "flex", height: 700 }}>
      <OnlineDisplay instance={instance} tools={hasTools ? tools : undefined} openPlayer={openPlayer} />
    </main>,
  );
  const screen = await render(shown);
  /** The newest socket of a tool, which is ready. */
  const ready = async (tool: string) => {
    const socket = await vi.waitFor(() => {
      const found = sockets.findLast((each) => each.tool === tool);
      if (!found) throw new Error(`no ${tool}`);
      return found;
    }, CODE_ARRIVES);
    socket.say({ type: "READY" });
    return socket;
  };
  return { screen, router, sockets, ready, connections };
}

const line = (level: string, tag: string, message: string) =>
  `11-23 12:00:00.000  1234  1240 ${level} ${tag.padEnd(8)}: ${message}\n`;

describe("the tools beside a screen", () => {
  it("are opened and closed from the toolbar, and are in the address", async () => {
    const { screen, router, ready, sockets } = await show("/?mine=1");
    expect(sockets).toEqual([]);
    await screen.getByRole("button", { name: "Log, shell, files and more" }).click();
    const socket = await ready("logcat");
    expect(router.state.location.search).toBe("?mine=1&tool=logcat");
    await screen.getByRole("button", { name: "Close the tools" }).click();
    expect(router.state.location.search).toBe("?mine=1");
    await vi.waitFor(() => expect(socket.readyState).toBe(3));
    await vi.waitFor(() => expect(document.activeElement?.closest("[role=toolbar]")).not.toBeNull());
    await userEvent.keyboard("l");
    await ready("logcat");
  });

  it("are made wider by dragging their edge and by its keys, within bounds, and stay so", async () => {
    const { screen, ready } = await show("/?tool=logcat");
    onTestFinished(() => toolsWidth.write(0));
    await ready("logcat");
    const edge = screen.getByRole("separator", { name: "Width of the tools" });
    const panel = () => screen.getByRole("complementary", { name: "Tools of fern" }).element().clientWidth;
    const is = async (width: number) => {
      await expect.element(edge).toHaveAttribute("aria-valuenow", `${width}`);
      expect(panel()).toBe(width);
    };
    await is(486);
    await expect.element(edge).toHaveAttribute("aria-valuemin", "360");
    await expect.element(edge).toHaveAttribute("aria-valuemax", "720");
    await expect.element(edge).toHaveAttribute("aria-valuetext", "486 pixels");
    (edge.element() as HTMLElement).focus();
    await userEvent.keyboard("{ArrowLeft}");
    await is(502);
    await userEvent.keyboard("{Shift>}{ArrowRight}{/Shift}");
    await is(438);
    await userEvent.keyboard("{End}{ArrowLeft}");
    await is(720);
    await userEvent.keyboard("{Home}{ArrowRight}");
    await is(360);
    const written = vi.spyOn(toolsWidth, "write");
    const press = (type: string, clientX: number) =>
      edge.element().dispatchEvent(new PointerEvent(type, { clientX, pointerId: 1, button: 0, bubbles: true }));
    vi.spyOn(Element.prototype, "setPointerCapture").mockImplementation(() => undefined);
    press("pointerdown", 900);
    await expect.element(edge).toHaveAttribute("data-held");
    for (const x of [800, 700, 800]) press("pointermove", x);
    await is(460);
    expect(written).not.toHaveBeenCalled();
    press("pointerup", 790);
    await is(470);
    expect(written.mock.calls).toEqual([[470]]);
    // Back where it was, it is let go of all the same; a gesture that the system ends changes nothing, wherever it says it was.
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      written.mockClear();
      press("pointerdown", 900);
      await expect.element(edge).toHaveAttribute("data-held");
      press("pointermove", 950);
      await is(420);
      if (end === "pointerup") press("pointermove", 900);
      press(end, end === "pointerup" ? 900 : 0);
      await is(470);
      expect(written.mock.calls).toEqual(end === "pointerup" ? [[470]] : []);
    }
    // A window that has no room for it keeps what was chosen.
    await page.viewport(1000, 800);
    await userEvent.keyboard("{End}");
    await is(600);
    await page.viewport(980, 800);
    await is(580);
    await page.viewport(1280, 800);
    await is(600);
    await edge.dblClick();
    await is(486);
  });

  it("are a sheet on a phone, of the width of the screen", async () => {
    await page.viewport(390, 844);
    const { screen, ready } = await show("/?tool=logcat");
    await ready("logcat");
    await expect.element(screen.getByRole("dialog", { name: "Tools of fern" })).toBeVisible();
    await expect.element(screen.getByRole("separator")).not.toBeInTheDocument();
  });

  it("stay while a panel of the device is open", async () => {
    const { screen, router, ready } = await show("/?tool=logcat");
    await ready("logcat");
    await expect.element(screen.getByRole("button", { name: "Battery" })).not.toHaveAttribute("aria-disabled");
    await screen.getByRole("button", { name: "Battery" }).click();
    expect(router.state.location.search).toBe("?tool=logcat&tool=battery");
    await expect.element(screen.getByRole("slider", { name: "Level" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(router.state.location.search).toBe("?tool=logcat"));
  });

  it("are not there for a guest, whatever the address", async () => {
    const { screen, sockets } = await show("/?tool=shell", false);
    await expect.element(screen.getByRole("button", { name: "Home" })).not.toHaveAttribute("aria-disabled");
    await expect.element(screen.getByRole("button", { name: "Log, shell, files and more" })).not.toBeInTheDocument();
    expect(sockets).toEqual([]);
  });

  it("say why they cannot be had, and try again when asked to", async () => {
    const { screen, ready, sockets } = await show("/?tool=logcat");
    (await ready("logcat")).say({ type: "FAIL", error: { code: "refused", words: "logcat: inaccessible" } });
    await expect.element(screen.getByText("The device did not do that. logcat: inaccessible")).toBeVisible();
    await screen.getByRole("button", { name: "Try again" }).click();
    await vi.waitFor(() => expect(sockets.length).toBe(2));
  });
});

describe("the log", () => {
  it("shows 12,000 lines with those in sight alone, by level, tag and words", async () => {
    const { screen, ready } = await show("/?tool=logcat");
    const socket = await ready("logcat");
    const lines = Array.from({ length: 12_000 }, (_, at) =>
      line(at % 100 === 0 ? "E" : "I", at % 2 === 0 ? "Fern" : "Moss", `leaf ${at}`),
    );
    for (let at = 0; at < lines.length; at += 500) socket.print(lines.slice(at, at + 500).join(""));
    await expect.element(screen.getByText("12000 lines")).toBeVisible();
    await expect.element(screen.getByText(/leaf 11999$/)).toBeVisible();
    const log = screen.getByRole("log").element();
    expect(log.querySelectorAll("[data-level]").length).toBeLessThan(100);
    await screen.getByRole("combobox", { name: "From level" }).click();
    await screen.getByRole("option", { name: "Warning" }).click();
    await expect.element(screen.getByText("120 of 12000 lines")).toBeVisible();
    await screen.getByRole("textbox", { name: "Tag" }).fill("moss");
    await expect.element(screen.getByText("No line fits the filters.")).toBeVisible();
    await screen.getByRole("textbox", { name: "Tag" }).fill("");
    await screen.getByRole("textbox", { name: "Search the log" }).fill("LEAF 11900");
    await expect.element(screen.getByText("1 of 12000 lines")).toBeVisible();
  });

  it("is paused, goes on, and is cleared on the device", async () => {
    const { screen, ready } = await show("/?tool=logcat");
    const socket = await ready("logcat");
    await screen.getByRole("button", { name: "Pause" }).click();
    socket.print(line("I", "Fern", "while paused"));
    await expect.element(screen.getByText("Paused, 1 new line")).toBeVisible();
    await expect.element(screen.getByText(/while paused/)).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "Go on" }).click();
    await expect.element(screen.getByText(/while paused/)).toBeVisible();
    await screen.getByRole("button", { name: "Clear the log on the device" }).click();
    expect(socket.said).toEqual([{ id: 1, do: "clear" }]);
    socket.say({ id: 1 });
    await expect.element(screen.getByText("Nothing is logged yet.")).toBeVisible();
  });

  it("stays where somebody reads, and follows again when asked to", async () => {
    const { screen, ready } = await show("/?tool=logcat");
    const socket = await ready("logcat");
    socket.print(Array.from({ length: 200 }, (_, at) => line("I", "x", `line ${at}`)).join(""));
    await expect.element(screen.getByText(/line 199$/)).toBeVisible();
    const log = screen.getByRole("log").element();
    log.scrollTop = 0;
    await expect.element(screen.getByText(/line 0$/)).toBeVisible();
    socket.print(line("I", "x", "line 200"));
    await expect.element(screen.getByText("201 lines")).toBeVisible();
    expect(log.scrollTop).toBe(0);
    await screen.getByRole("button", { name: "Jump to the newest line" }).click();
    await expect.element(screen.getByText(/line 200$/)).toBeVisible();
  });

  it("begins anew when its connection is back", async () => {
    const { screen, ready, sockets } = await show("/?tool=logcat");
    (await ready("logcat")).print(line("I", "x", "once"));
    await expect.element(screen.getByText("1 line", { exact: true })).toBeVisible();
    sockets[0]?.end(1006);
    await expect.element(screen.getByText("The connection was lost. It comes back by itself.")).toBeVisible();
    await vi.waitFor(() => expect(sockets.length).toBe(2), { timeout: 3_000 });
    (await ready("logcat")).print(line("I", "x", "once"));
    await expect.element(screen.getByText("1 line", { exact: true })).toBeVisible();
  });
});

describe("the shell", () => {
  it("is a terminal with the device's size of it, and F6 leads out", async () => {
    const { screen, ready } = await show("/?tool=shell");
    const socket = await ready("shell");
    await vi.waitFor(() =>
      expect(socket.said).toContainEqual({
        id: expect.any(Number),
        do: "resize",
        rows: expect.any(Number),
        columns: expect.any(Number),
      }),
    );
    socket.print("vbox:/ $ ");
    const terminal = screen.getByRole("textbox", { name: /^Shell of fern/ });
    await expect.element(terminal).toHaveFocus();
    await userEvent.keyboard("ls{Tab}{Enter}");
    expect(socket.said.filter((each) => typeof each === "string").join("")).toBe("ls\t\r");
    await userEvent.keyboard("{F6}");
    expect(document.activeElement?.textContent).toBe("Shell");
    await userEvent.keyboard("{ArrowLeft}{Enter}");
    await ready("logcat");
    // It goes on meanwhile.
    expect(socket.readyState).toBe(1);
    socket.say({ type: "END", exitCode: 3 });
    await screen.getByRole("tab", { name: "Shell" }).click();
    await expect.element(screen.getByText("The shell has ended with code 3.")).toBeVisible();
    await screen.getByRole("button", { name: "Start another" }).click();
    expect(await ready("shell")).not.toBe(socket);
  });
});

/** Answers a request of the newest socket of a tool. */
async function answer(socket: { said: unknown[]; say(message: object): void }, what: string, answer: object) {
  const { id } = await vi.waitFor(() => {
    const asked = socket.said.findLast((each) => (each as { do?: string }).do === what);
    if (!asked) throw new Error(`${what} was not asked`);
    return asked as { id: number };
  });
  socket.say({ id, ...answer });
  return socket.said.findLast((each) => (each as { do?: string }).do === what);
}

const entryOf = (name: string, kind = "file") => ({ name, kind, size: 1_536, mtime: 1_700_000_000 });
const listed = (...entries: object[]) => ({ entries, count: entries.length });

describe("files", () => {
  it("are walked through by keys, and the folder is in the address", async () => {
    const { screen, ready, router } = await show("/?tool=files");
    const socket = await ready("files");
    expect(
      await answer(socket, "list", listed(entryOf("My 'own'; pictures", "folder"), entryOf("a.txt"))),
    ).toMatchObject({ path: "/sdcard" });
    await expect.element(screen.getByRole("option", { name: /a\.txt.*1\.5 kB/ })).toBeVisible();
    const list = screen.getByRole("listbox", { name: "Files in /sdcard" });
    (list.element() as HTMLElement).focus();
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await vi.waitFor(() => expect(socket.said.at(-1)).toMatchObject({ path: "/sdcard/My 'own'; pictures" }));
    expect(new URLSearchParams(router.state.location.search).get("path")).toBe("/sdcard/My 'own'; pictures");
    await answer(socket, "list", listed());
    await expect.element(screen.getByText("This folder is empty.")).toBeVisible();
    (screen.getByRole("listbox").element() as HTMLElement).focus();
    await userEvent.keyboard("{Backspace}");
    await expect.element(screen.getByRole("option", { name: /pictures/ })).toBeVisible();
    await screen.getByRole("button", { name: "Close the tools" }).click();
    expect(router.state.location.search).toBe("");
  });

  it("are deleted once somebody has said so twice, by their exact name", async () => {
    const { screen, ready } = await show(`/?tool=files&path=${encodeURIComponent("/sdcard/a b")}`);
    const socket = await ready("files");
    const name = "-rf $(x)\n'";
    await answer(socket, "list", listed(entryOf(name)));
    await screen.getByRole("option").click();
    await userEvent.keyboard("{Delete}");
    const dialog = screen.getByRole("dialog", { name: /^Delete -rf/ });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(socket.said.map((each) => (each as { do: string }).do)).toEqual(["list"]);
    await screen.getByRole("button", { name: /^Delete -rf/ }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    expect(await answer(socket, "delete", {})).toMatchObject({ path: `/sdcard/a b/${name}` });
    await vi.waitFor(() => expect(socket.said.at(-1)).toMatchObject({ do: "list" }));
    await answer(socket, "list", listed());
    // The button that had the focus is gone with the file.
    await expect.element(screen.getByRole("listbox")).toHaveFocus();
  });

  it("are brought into the folder that is shown, and looked at again when they are there", async () => {
    const { screen, ready } = await show("/?tool=files&path=/sdcard/Music");
    await answer(await ready("files"), "list", listed());
    const chooser = screen
      .getByLabelText("Bring files into this folder")
      .elements()
      .find((each) => each instanceof HTMLInputElement);
    await userEvent.upload(chooser as HTMLElement, new File(["x"], "song.mp3"));
    expect(tools.onUpload.mock.lastCall).toMatchObject([[{ name: "song.mp3" }], "/sdcard/Music"]);
  });

  it("are downloaded whole, or not at all", async () => {
    const { screen, ready } = await show("/?tool=files");
    await answer(await ready("files"), "list", listed(entryOf("a.txt")));
    const saved: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    onTestFinished(() => click.mockRestore());
    await screen.getByRole("option").click();
    await screen.getByRole("button", { name: "Download" }).click();
    const cut = await ready("download");
    expect(JSON.parse(cut.sent[0] ?? "")).toMatchObject({ path: "/sdcard/a.txt" });
    cut.print("hal");
    await expect.element(screen.getByText("Downloading a.txt")).toBeVisible();
    cut.end(1006);
    await expect.element(screen.getByText("Downloading a.txt")).not.toBeInTheDocument();
    expect(saved).toEqual([]);
    await screen.getByRole("button", { name: "Download" }).click();
    const whole = await vi.waitFor(async () => {
      const socket = await ready("download");
      expect(socket).not.toBe(cut);
      return socket;
    });
    whole.print("half");
    whole.say({ type: "END", size: 4 });
    await vi.waitFor(() => expect(saved).toEqual(["a.txt"]));
  });

  it("of a folder that may not be read are a sentence, in the device's words", async () => {
    const { screen, ready } = await show("/?tool=files&path=/data");
    await answer(await ready("files"), "list", { error: { code: "refused", words: "ls: /data: Permission denied" } });
    await expect.element(screen.getByText("The device did not do that. ls: /data: Permission denied")).toBeVisible();
  });
});

describe("apps", () => {
  it("are found by their names, opened, and removed once somebody has said so twice", async () => {
    const { screen, ready } = await show("/?tool=apps");
    const socket = await ready("apps");
    const apps = [
      { name: "com.example.fern", isSystem: false },
      { name: "com.example.service", isSystem: false },
      { name: "com.android.settings", isSystem: true },
    ];
    await answer(socket, "list", { apps });
    await answer(socket, "names", { names: { "com.example.fern": "My fern", "com.android.settings": "Settings" } });
    await expect.element(screen.getByText("2 apps")).toBeVisible();
    await screen.getByRole("checkbox", { name: "System apps" }).click();
    await expect.element(screen.getByText("3 apps")).toBeVisible();
    await screen.getByRole("option", { name: /Settings/ }).click();
    await expect.element(screen.getByRole("button", { name: "Uninstall" })).not.toBeInTheDocument();
    await screen.getByRole("option", { name: "com.example.service" }).click();
    await expect.element(screen.getByRole("button", { name: "Open" })).not.toBeInTheDocument();
    await screen.getByRole("textbox", { name: "Search apps" }).fill("my f");
    await screen.getByRole("option").click();
    await screen.getByRole("button", { name: "Open" }).click();
    expect(await answer(socket, "launch", {})).toMatchObject({ name: "com.example.fern" });
    await screen.getByRole("button", { name: "Clear data" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await screen.getByRole("button", { name: "Uninstall" }).click();
    expect(socket.said.map((each) => (each as { do: string }).do)).toEqual(["list", "names", "launch"]);
    await screen.getByRole("dialog").getByRole("button", { name: "Uninstall" }).click();
    expect(await answer(socket, "uninstall", {})).toMatchObject({ name: "com.example.fern" });
    await vi.waitFor(() => expect(socket.said.at(-1)).toMatchObject({ do: "list" }));
  });
});

it("on a phone they are a sheet", async () => {
  await page.viewport(390, 800);
  const { screen, ready, router } = await show("/?tool=logcat");
  await ready("logcat");
  await expect.element(screen.getByRole("dialog", { name: "Tools of fern" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await vi.waitFor(() => expect(router.state.location.search).toBe(""));
});

describe("the captures", () => {
  const begin = async (address: string) => {
    const all = [aCapture()];
    const service = fakeService({
      ...captureRoutes(all),
      "POST .*": () => ({ access_token: "t", expires_at: "2026-03-02T10:00:00Z" }),
    });
    return { ...(await show(address)), all, service };
  };

  it("of a device are beside it, and a screenshot is kept with a press", async () => {
    const { screen, all, ready, service } = await begin("/?tool=captures");
    await expect.element(screen.getByRole("option", { name: /Recording.*0:42.*1\.5 MB/ })).toBeVisible();
    expect(service.to("GET", /captures$/)[0]?.query.get("instance")).toMatch(/^[0-9a-f-]{36}$/);
    await screen.getByRole("button", { name: "Save a screenshot to captures" }).click();
    const socket = await ready("captures");
    await vi.waitFor(() => expect(socket.said).toEqual([{ id: 1, do: "screenshot" }]));
    all.unshift(aCapture({ kind: "screenshot", duration_ms: null }));
    socket.say({ id: 1, capture: {} });
    await expect.element(screen.getByRole("option", { name: /Screenshot/ })).toBeVisible();
    await screen.getByRole("option", { name: /Recording/ }).click();
    await screen.getByRole("button", { name: "Delete Recording of fern" }).click();
    await screen.getByRole("button", { name: "Delete", exact: true }).click();
    await expect.element(screen.getByRole("option", { name: /Recording/ })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("listbox")).toHaveFocus();
  });

  it("that are recorded say so to everybody, until they are stopped", async () => {
    const { screen, ready, connections, sockets } = await begin("/");
    await screen.getByRole("button", { name: "Record the screen" }).click();
    const socket = await ready("captures");
    await vi.waitFor(() => expect(socket.said).toEqual([{ id: 1, do: "record" }]));
    socket.say({ id: 1 });
    connections[0]?.onMessage("ROOM", { what: "recording", ms: 42_000 });
    await expect.element(screen.getByText(/^Recording 0:[45]\d$/)).toBeVisible();
    await screen.getByRole("button", { name: "Stop recording" }).click();
    await vi.waitFor(() => expect(sockets).toHaveLength(2));
    const second = await ready("captures");
    await vi.waitFor(() => expect(second.said).toEqual([{ id: 1, do: "stop" }]));
    connections[0]?.onMessage("ROOM", { what: "recording" });
    connections[0]?.onMessage("ROOM", { what: "recorded", why: "limit", isKept: true });
    await expect.element(screen.getByText(/^Recording \d/)).not.toBeInTheDocument();
    await vi.waitFor(() =>
      expect(readSnacks().map(({ message }) => message)).toEqual([expect.stringContaining("30 minutes")]),
    );
  });

  it("that have no room are refused in words", async () => {
    const { screen, ready } = await begin("/");
    await screen.getByRole("button", { name: "Record the screen" }).click();
    const socket = await ready("captures");
    await vi.waitFor(() => expect(socket.said).toHaveLength(1));
    socket.say({ id: 1, error: { code: "full" } });
    await vi.waitFor(() =>
      expect(readSnacks().map(({ message }) => message)).toEqual([expect.stringContaining("no room")]),
    );
  });
});

describe("the UI tree", () => {
  const node = (name: string, bounds: number[], more: object = {}) => ({
    class: `android.widget.${name}`,
    bounds,
    ...more,
  });
  const tree = {
    width: 1080,
    height: 1920,
    isCut: false,
    root: node("FrameLayout", [0, 0, 1080, 1920], {
      children: [
        node("TextView", [0, 0, 1080, 200], { text: "Settings", id: "org.p:id/title" }),
        node("LinearLayout", [0, 200, 1080, 400], {
          flags: ["clickable"],
          children: [node("TextView", [0, 200, 540, 400], { text: "Battery" })],
        }),
      ],
    }),
  };
  const boxOf = (element: Element, within: Element) => {
    const [box, all] = [element.getBoundingClientRect(), within.getBoundingClientRect()];
    const part = (pixels: number) => Math.round(pixels * 100);
    return [
      part((box.left - all.left) / all.width),
      part((box.top - all.top) / all.height),
      part(box.width / all.width),
      part(box.height / all.height),
    ];
  };

  async function shown() {
    const test = await show("/?tool=ui");
    const socket = await test.ready("ui");
    await answer(socket, "dump", { tree });
    const item = (name: RegExp) => test.screen.getByRole("treeitem", { name });
    await expect.element(item(/^Battery/)).toBeVisible();
    // Of the picture, when it has come.
    await vi.waitFor(() => expect(test.connections.at(-1)?.painting).toBeDefined());
    return { ...test, socket, item };
  }

  it("is walked with the keys, and what has the focus or is pointed at is marked on the picture", async () => {
    const { screen, item } = await shown();
    await expect.element(screen.getByText("4 nodes · read just now")).toBeVisible();
    const marks = screen.getByTestId("ui-marks");
    item(/^Settings/)
      .element()
      .focus();
    await expect.element(screen.getByTestId("ui-marked")).toBeInTheDocument();
    expect(boxOf(screen.getByTestId("ui-marked").element(), marks.element())).toEqual([0, 0, 100, 10]);
    await userEvent.keyboard("{ArrowDown}{ArrowRight}{Enter}");
    await vi.waitFor(() =>
      expect(boxOf(screen.getByTestId("ui-chosen").element(), marks.element())).toEqual([0, 10, 50, 10]),
    );
    const facts = screen.getByRole("region", { name: "What is chosen" });
    await expect.element(facts.getByText("android.widget.TextView")).toBeVisible();
    await expect.element(facts.getByText("[0,200][540,400] · 540 × 200")).toBeVisible();
    await facts.getByRole("button", { name: "Copy a selector of TextView" }).click();
    await expect.element(screen.getByRole("menuitem", { name: "XPath" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    expect(nameless()).toEqual([]);
  });

  it("is searched, with what is around what was found", async () => {
    const { screen, item } = await shown();
    await screen.getByRole("textbox", { name: "Search text, id or class" }).fill("batt");
    await expect.element(item(/^Settings/)).not.toBeInTheDocument();
    await expect.element(item(/^LinearLayout/)).toBeVisible();
    await screen.getByRole("textbox", { name: "Search text, id or class" }).fill("fern");
    await expect.element(screen.getByText("Nothing on the screen fits the search.")).toBeVisible();
  });

  it("finds what is pressed on the picture while one picks, which the device does not hear of", async () => {
    const { screen, item, connections } = await shown();
    const picture = document.querySelector("video") as HTMLElement;
    const heard = vi.fn();
    picture.addEventListener("pointerdown", heard);
    const press = () => screen.getByTestId("ui-marks").click({ position: { x: 4, y: 60 } });
    await screen.getByRole("button", { name: "Pick" }).click();
    await screen.getByRole("textbox", { name: "Search text, id or class" }).fill("Settings");
    await press();
    await expect.element(item(/^Battery/)).toHaveAttribute("aria-selected", "true");
    await expect.element(item(/^Battery/)).toHaveFocus();
    await expect.element(screen.getByRole("button", { name: "Pick" })).toHaveAttribute("aria-pressed", "false");
    expect([heard.mock.calls.length, connections.at(-1)?.sent]).toEqual([0, []]);
    await screen.getByRole("button", { name: "Pick" }).click();
    const pressed = vi.fn();
    globalThis.addEventListener("keydown", pressed);
    await userEvent.keyboard("{Escape}");
    globalThis.removeEventListener("keydown", pressed);
    expect(pressed).not.toHaveBeenCalled();
    await expect.element(screen.getByRole("button", { name: "Pick" })).toHaveAttribute("aria-pressed", "false");
    await userEvent.click(picture, { position: { x: 4, y: 60 } });
    expect(heard).toHaveBeenCalledOnce();
  });

  it("is read again when the picture has changed, and is not marked on one that is held otherwise", async () => {
    const { screen, socket, connections } = await shown();
    const painting = connections.at(-1)?.painting;
    if (!painting) throw new Error("there is no picture");
    // What moves is read again and again.
    painting.scene = () => undefined;
    let says: object = { tree };
    const answered = new Set([1]);
    const answerAll = () => {
      const asked = (socket.said as { id: number }[]).filter(({ id }) => !answered.has(id));
      for (const { id } of asked) {
        answered.add(id);
        socket.say({ id, ...says });
      }
    };
    vi.spyOn(socket, "send").mockImplementation((text) => {
      socket.sent.push(text);
      queueMicrotask(answerAll);
    });
    answerAll();
    const marks = screen.getByTestId("ui-marks");
    await expect.element(marks).toBeInTheDocument();
    says = { error: { code: "refused", words: "ERROR: could not get idle state." } };
    painting.paint(320, 180);
    await expect.element(marks).not.toBeInTheDocument();
    await expect
      .element(screen.getByText("The device did not do that. ERROR: could not get idle state."))
      .toBeVisible();
    says = { tree: { ...tree, width: 1920, height: 1080 } };
    await screen.getByRole("button", { name: "Read the screen again" }).click();
    await expect.element(marks).toBeInTheDocument();
    await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
  });
});
