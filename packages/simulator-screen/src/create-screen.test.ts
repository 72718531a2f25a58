import { afterEach, describe, expect, it } from "vitest";
import { displayPage } from "./apps/settings/device-pages.ts";
import type { PageContext } from "./apps/settings/page.ts";
import { createScreen } from "./create-screen.ts";
import { readLatencyMark } from "./apps/latency-mark.ts";
import { NOTES_FILE } from "./apps/notes/note-store.ts";
import type { Screen, ViewNode } from "@terrarium/simulator/screen";
import { tilesOf } from "./system/shade-tiles.ts";
import { fakeHost, type FakeHost, type FakeHostOptions } from "./testing/fake-host.ts";
import { pixelsOf, settle, swipe, tap } from "./testing/picture.ts";

const HOME = "com.terrarium.launcher/.Launcher";
const keyCode = {
  home: 3,
  back: 4,
  right: 22,
  down: 20,
  center: 23,
  volumeUp: 24,
  power: 26,
  a: 29,
  b: 30,
  enter: 66,
  backspace: 67,
  menu: 82,
  notification: 83,
  recents: 187,
};
const SHIFT = 1;

let screen: Screen;
let host: FakeHost;

function start(options: FakeHostOptions = {}): void {
  host = fakeHost(options);
  screen = createScreen(host);
}

afterEach(() => screen.close());

const press = (code: number, meta = 0): void => {
  screen.key("down", code, meta);
  screen.key("up", code, meta);
};

describe("apps", () => {
  it("opens the app whose icon is tapped, and back leaves it", async () => {
    start();
    await settle(screen, host.clock);
    expect(screen.focused).toBe(HOME);
    // The first icon of the dock on a screen of 360 by 640 dp.
    await tap(screen, host.clock, 136, 1038);
    expect(screen.focused).toBe("com.terrarium.calculator/.Calculator");
    press(keyCode.back);
    expect(screen.focused).toBe(HOME);
  });

  it("has a tap heard that does something, and no other", async () => {
    start();
    await settle(screen, host.clock);
    await tap(screen, host.clock, 136, 1038);
    expect(host.clicks.count).toBe(1);
    await swipe(screen, host.clock, [360, 900], [360, 500]);
    screen.touch("down", 0, 92, 200);
    screen.touch("cancel", 0, 92, 200);
    expect(host.clicks.count).toBe(1);
  });

  it.each([-30_000, -3_600_000, 3_600_000])("goes on moving when the system's clock is set by %i ms", async (ms) => {
    start();
    await settle(screen, host.clock);
    const home = pixelsOf(screen);
    screen.startApp("com.terrarium.settings");
    screen.paint();
    const begun = pixelsOf(screen);
    host.clock.step(ms);
    await host.clock.advance(40);
    screen.paint();
    const moved = pixelsOf(screen);
    expect([screen.animating, new Set([home, begun, moved]).size]).toEqual([true, 3]);
    await settle(screen, host.clock);
    expect(screen.animating).toBe(false);
  });

  it("goes back page by page before it leaves Settings", async () => {
    start();
    screen.startApp("com.terrarium.settings");
    await settle(screen, host.clock);
    const first = pixelsOf(screen);
    await tap(screen, host.clock, 300, 600);
    expect(pixelsOf(screen)).not.toBe(first);
    press(keyCode.back);
    await settle(screen, host.clock);
    expect(screen.focused).toBe("com.terrarium.settings/.Settings");
    press(keyCode.home);
    expect(screen.focused).toBe(HOME);
  });

  it("shows an installed package and knows no other", async () => {
    start();
    expect(screen.startApp("org.example.tides")).toBe(true);
    await settle(screen, host.clock);
    expect(screen.focused).toBe("org.example.tides/.MainActivity");
    expect(screen.startApp("org.example.none")).toBe(false);
    expect(screen.focused).toBe("org.example.tides/.MainActivity");
  });

  it("finds an app by what is typed on the home screen and opens it on Enter", async () => {
    start();
    await settle(screen, host.clock);
    screen.text("calc");
    await settle(screen, host.clock);
    press(keyCode.enter);
    expect(screen.focused).toBe("com.terrarium.calculator/.Calculator");
  });

  it("brings an app back from the recent ones", async () => {
    start();
    screen.startApp("com.terrarium.calculator");
    await settle(screen, host.clock);
    press(keyCode.home);
    await settle(screen, host.clock);
    press(keyCode.recents);
    await settle(screen, host.clock);
    await tap(screen, host.clock, 360, 640);
    expect(screen.focused).toBe("com.terrarium.calculator/.Calculator");
  });

  it("hears a quick finger before a movement has ended", async () => {
    start();
    await settle(screen, host.clock);
    press(keyCode.recents);
    await settle(screen, host.clock);
    screen.startApp("com.terrarium.notes");
    await host.clock.advance(220);
    screen.touch("down", 0, 632, 1144);
    screen.touch("up", 0, 632, 1144);
    screen.text("quick");
    expect(host.files.get(NOTES_FILE)).toContain("quick");
  });

  it("shows at once where it is when nobody looked meanwhile", async () => {
    start();
    await settle(screen, host.clock);
    screen.text("c");
    await host.clock.advance(1000);
    screen.paint();
    expect(screen.animating).toBe(false);
  });

  it("closes an app that was uninstalled while it was in front", () => {
    const apps = fakeHost().apps();
    start({ apps });
    screen.startApp("org.example.tides");
    apps.pop();
    screen.paint();
    expect(screen.focused).toBe(HOME);
  });
});

describe("writing", () => {
  it("keeps what a keyboard writes into a note", async () => {
    start();
    screen.startApp("com.terrarium.notes");
    await settle(screen, host.clock);
    // The button for a new note.
    await tap(screen, host.clock, 632, 1144);
    press(keyCode.a, SHIFT);
    press(keyCode.b);
    press(keyCode.b);
    press(keyCode.backspace);
    press(keyCode.enter);
    screen.text("grüße 🌿");
    expect(JSON.parse(host.files.get(NOTES_FILE) ?? "")).toMatchObject([{ text: "Ab\ngrüße 🌿" }]);
  });

  it("writes with the keys on the glass, and back puts them away first", async () => {
    start();
    screen.startApp("com.terrarium.notes");
    await settle(screen, host.clock);
    await tap(screen, host.clock, 632, 1144);
    const written = pixelsOf(screen);
    // The q is the first key of the first row.
    await tap(screen, host.clock, 36, 848);
    expect(JSON.parse(host.files.get(NOTES_FILE) ?? "")).toMatchObject([{ text: "q" }]);
    expect(pixelsOf(screen)).not.toBe(written);
    press(keyCode.back);
    await settle(screen, host.clock);
    expect(screen.focused).toBe("com.terrarium.notes/.Notes");
  });
});

const view = (): ViewNode[] => {
  const all = (node: ViewNode): ViewNode[] => [node, ...node.children.flatMap(all)];
  return all(screen.view());
};

describe("suggestions", () => {
  it("are words that begin so, those written before first, and one is put in place of what was begun", async () => {
    start();
    screen.startApp("com.terrarium.notes");
    await settle(screen, host.clock);
    await tap(screen, host.clock, 632, 1144);
    screen.text("Thyme and Th");
    await settle(screen, host.clock);
    const words = view().filter(({ id }) => id.startsWith("keyboard/word/"));
    expect(words.map(({ children }) => children[0]?.text)).toEqual(["Th", "Thyme", "The"]);
    const { left, right, top, bottom } = words[1]!.bounds;
    await tap(screen, host.clock, (left + right) / 2, (top + bottom) / 2);
    expect(JSON.parse(host.files.get(NOTES_FILE) ?? "")).toMatchObject([{ text: "Thyme and Thyme " }]);
  });
});

describe("painting", () => {
  it("paints nothing twice", async () => {
    start();
    await settle(screen, host.clock);
    expect(screen.paint()).toBe(false);
    expect(screen.pixels.length).toBe(screen.width * screen.height * 4);
  });

  it("does not paint for what cannot be seen", async () => {
    start();
    await settle(screen, host.clock);
    host.state.set({ clipboard: "secret" });
    expect(screen.paint()).toBe(false);
  });

  it("leaves nothing asleep when it is closed", async () => {
    start();
    await settle(screen, host.clock);
    expect(host.clock.sleeping).toBe(1);
    screen.close();
    expect(host.clock.sleeping).toBe(0);
  });

  it("gives its memory back when nobody looks any more, and paints again when somebody does", async () => {
    start();
    await settle(screen, host.clock);
    const before = pixelsOf(screen, { x: 0, y: 600, w: 720, h: 600 });
    await host.clock.advance(180_000);
    expect(screen.pixels.length).toBe(0);
    expect(screen.paint()).toBe(true);
    expect(pixelsOf(screen, { x: 0, y: 600, w: 720, h: 600 })).toBe(before);
  });

  it("rests when told to, paints the same again, and still says when the minute changes", async () => {
    start();
    await settle(screen, host.clock);
    const before = pixelsOf(screen);
    const { pixels } = screen;
    let calls = 0;
    screen.onChange = () => calls++;
    screen.rest();
    expect([screen.pixels.length, pixels.length]).toEqual([0, 0]);
    expect(screen.paint()).toBe(true);
    expect(pixelsOf(screen)).toBe(before);
    screen.rest();
    await host.clock.advance(60_000);
    expect(calls).toBe(1);
  });

  it("says so when the minute changes, once", async () => {
    start();
    await settle(screen, host.clock);
    let calls = 0;
    screen.onChange = () => calls++;
    await host.clock.advance(200_000);
    expect(calls).toBe(1);
    expect(screen.paint()).toBe(true);
  });

  it("repaints the battery sign when its level changes, and nothing below the status bar", async () => {
    // Android 9 has no number beside the sign.
    start({ osVersion: "9.0", state: { battery: { level: 86, status: "discharging" } } });
    await settle(screen, host.clock);
    const bar = { x: 0, y: 0, w: 720, h: 48 };
    const rest = { x: 0, y: 48, w: 720, h: 1232 };
    const before = [pixelsOf(screen, bar), pixelsOf(screen, rest)];
    host.state.set({ battery: { level: 41, status: "discharging" } });
    expect(screen.paint()).toBe(true);
    expect(pixelsOf(screen, bar)).not.toBe(before[0]);
    expect(pixelsOf(screen, rest)).toBe(before[1]);
  });

  it("scrolls Settings with the finger, and on after it has left", async () => {
    start();
    screen.startApp("com.terrarium.settings");
    await settle(screen, host.clock);
    const before = pixelsOf(screen);
    await swipe(screen, host.clock, [360, 1000], [360, 800], 5);
    screen.paint();
    const left = pixelsOf(screen);
    expect(left).not.toBe(before);
    expect(screen.animating).toBe(true);
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).not.toBe(left);
  });

  it("scrolls with a wheel", async () => {
    start();
    screen.startApp("com.terrarium.settings");
    await settle(screen, host.clock);
    const before = pixelsOf(screen);
    screen.scroll(360, 600, 0, -1);
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).not.toBe(before);
    screen.scroll(360, 600, 0, 1);
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).toBe(before);
  });

  it("swaps the sides when it is turned", async () => {
    start({ display: { width: 1080, height: 2400, density: 420 } });
    expect([screen.width, screen.height]).toEqual([864, 1920]);
    host.state.set({ rotation: 1 });
    expect([screen.width, screen.height]).toEqual([1920, 864]);
    expect(screen.paint()).toBe(true);
    expect(screen.pixels.length).toBe(1920 * 864 * 4);
  });

  it("goes black when it is off and hears nothing then", async () => {
    start();
    await settle(screen, host.clock);
    press(keyCode.power);
    expect(host.state.values.screenOn).toBe(false);
    expect(screen.paint()).toBe(true);
    expect(screen.pixels.every((value, i) => value === (i % 4 === 3 ? 255 : 0))).toBe(true);
    await tap(screen, host.clock, 136, 1038);
    expect(screen.focused).toBe(HOME);
    press(keyCode.power);
    expect(host.state.values.screenOn).toBe(true);
  });

  it("is locked when it is on again, hears no home key there, and opens under a finger that goes up", async () => {
    start();
    screen.startApp("com.terrarium.notes");
    await settle(screen, host.clock);
    const notes = pixelsOf(screen);
    press(keyCode.power);
    press(keyCode.power);
    await settle(screen, host.clock);
    const locked = pixelsOf(screen);
    expect(locked).not.toBe(notes);
    press(keyCode.home);
    await swipe(screen, host.clock, [360, 900], [360, 840]);
    await settle(screen, host.clock);
    expect([pixelsOf(screen) === locked, host.state.values.locked]).toEqual([true, true]);
    await swipe(screen, host.clock, [360, 1000], [360, 500]);
    await settle(screen, host.clock);
    expect([pixelsOf(screen) === notes, host.state.values.locked]).toEqual([true, false]);
  });

  it.each([
    ["the menu key", () => press(keyCode.menu)],
    ["wm dismiss-keyguard", () => host.state.set({ locked: false })],
  ])("is unlocked by %s", async (_, unlock) => {
    start();
    await settle(screen, host.clock);
    const home = pixelsOf(screen);
    host.state.set({ screenOn: false });
    host.state.set({ screenOn: true });
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).not.toBe(home);
    screen.text("nobody reads this");
    unlock();
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).toBe(home);
  });

  it("locks no TV", async () => {
    start({ formFactor: "TV", display: { width: 1280, height: 720, density: 213 }, state: { locked: true } });
    press(keyCode.right);
    press(keyCode.center);
    expect(screen.focused).not.toBe(HOME);
  });

  it("turns within 240 ms, the old picture fading where it was on the glass", async () => {
    start({ display: { width: 540, height: 1200, density: 210 } });
    await settle(screen, host.clock);
    const upright = pixelsOf(screen);
    host.state.set({ rotation: 1 });
    screen.paint();
    const turning = pixelsOf(screen);
    expect(screen.animating).toBe(true);
    await host.clock.advance(240);
    screen.paint();
    expect([screen.animating, pixelsOf(screen) === turning]).toEqual([false, false]);
    host.state.set({ rotation: 0 });
    screen.paint();
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).toBe(upright);
  });

  it("has the camera where the glass has it, however it is held, and none on a shorter phone", async () => {
    start({ display: { width: 540, height: 1200, density: 240 } });
    const isBlack = (x: number, y: number) => /^(AAAA\/wAA|AAAA)/.test(pixelsOf(screen, { x, y, w: 2, h: 1 }));
    await settle(screen, host.clock);
    expect(isBlack(270, 30)).toBe(true);
    host.state.set({ rotation: 1 });
    await settle(screen, host.clock);
    expect(isBlack(30, 270)).toBe(true);
    screen.close();
    start();
    await settle(screen, host.clock);
    expect(isBlack(360, 40)).toBe(false);
  });

  it("shows the volume for a moment after its key", async () => {
    start();
    await settle(screen, host.clock);
    const before = pixelsOf(screen);
    press(keyCode.volumeUp);
    await settle(screen, host.clock);
    expect(host.state.values.volume).toBe(9);
    expect(pixelsOf(screen)).not.toBe(before);
    await host.clock.advance(2500);
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).toBe(before);
  });

  it("pulls the quick settings down and switches Wi-Fi off there", async () => {
    start();
    await settle(screen, host.clock);
    await swipe(screen, host.clock, [360, 10], [360, 700]);
    await settle(screen, host.clock);
    await tap(screen, host.clock, 180, 260);
    expect(host.state.values.wifi).toBe(false);
  });

  it("opens the quick settings halfway at first, and all of them with a second pull", async () => {
    start();
    await settle(screen, host.clock);
    const tiles = () => view().flatMap(({ id }) => (/^shade\/(?!away|sheet|settings)/.test(id) ? id.slice(6) : []));
    await swipe(screen, host.clock, [360, 10], [360, 1200]);
    await settle(screen, host.clock);
    expect(tiles()).toEqual(["wifi", "cellular", "airplane", "moon"]);
    await swipe(screen, host.clock, [360, 800], [360, 1200]);
    await settle(screen, host.clock);
    expect(tiles()).toEqual(["wifi", "cellular", "airplane", "moon", "rotate", "light"]);
    await swipe(screen, host.clock, [360, 1200], [360, 1000], 4);
    await settle(screen, host.clock);
    expect(tiles()).toHaveLength(4);
  });

  it("brings all apps up with the finger, and takes them down again from the top of the list", async () => {
    start();
    await settle(screen, host.clock);
    const texts = () => view().map(({ text }) => text);
    screen.touch("down", 0, 360, 800);
    const seen = new Set<string>();
    for (const y of [760, 700, 640]) {
      screen.touch("move", 0, 360, y);
      screen.paint();
      seen.add(pixelsOf(screen));
      await host.clock.advance(40);
    }
    expect([seen.size, screen.animating]).toEqual([3, false]);
    screen.touch("up", 0, 360, 600);
    await settle(screen, host.clock);
    expect(texts()).toContain("Calculator");
    await swipe(screen, host.clock, [360, 500], [360, 900]);
    await settle(screen, host.clock);
    expect(texts()).not.toContain("Calculator");
  });

  it("puts what has no room at home on more pages, and stops at one", async () => {
    const apps = Array.from({ length: 30 }, (_, i) => i + 10).map((n) => ({
      packageName: `org.example.a${n}`,
      label: `A${n}`,
      versionName: "1",
      system: false,
    }));
    start({ apps });
    await settle(screen, host.clock);
    const labels = () => [...new Set(view().flatMap(({ text }) => /^A\d+$/.exec(text) ?? []))];
    const first = labels();
    await swipe(screen, host.clock, [600, 700], [450, 700], 4);
    await settle(screen, host.clock);
    expect([first[0], labels()[0]]).toEqual(["A10", `A${10 + first.length}`]);
  });

  it("takes no more memory after 500 paints than after 100", async () => {
    start();
    const paints = async (count: number) => {
      for (let i = 0; i < count; i++) {
        host.state.set({ battery: { level: i % 100, status: "discharging" } });
        screen.paint();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return process.memoryUsage().rss;
    };
    const before = await paints(100);
    const after = await paints(500);
    // One frame is 3.7 MB: a leak of one in ten would be 180 MB.
    expect(after - before).toBeLessThan(150_000_000);
  });
});

describe("latency", () => {
  it("shows the count of touches as a mark that reads back", async () => {
    start();
    screen.startApp("com.terrarium.latency");
    await settle(screen, host.clock);
    expect(readLatencyMark(screen.pixels, screen.width, screen.height)).toBe(0);
    const marks = new Map<number, number | undefined>();
    for (let k = 1; k <= 300; k++) {
      screen.touch("down", k % 3, 100 + k, 300);
      // Painting each of them would take seconds; these carry over into every digit of the mark.
      if (k <= 17 || k % 64 <= 1 || k === 300) {
        screen.paint();
        marks.set(k, readLatencyMark(screen.pixels, screen.width, screen.height));
      }
      screen.touch("up", k % 3, 100 + k, 300);
    }
    expect([...marks.values()]).toEqual([...marks.keys()]);
  });

  it("changes for as long as a finger moves, but not for one that only touches", async () => {
    start();
    screen.startApp("com.terrarium.latency");
    await settle(screen, host.clock);
    const painted = () => {
      screen.paint();
      return Buffer.from(screen.pixels).toString("base64");
    };
    screen.touch("down", 0, 100, 300);
    const touched = painted();
    screen.touch("move", 0, 101, 300);
    expect(painted()).toBe(touched);
    screen.touch("move", 0, 200, 300);
    const moved = painted();
    expect(moved).not.toBe(touched);
    screen.touch("move", 0, 240, 300);
    expect(painted()).not.toBe(moved);
    screen.touch("up", 0, 240, 300);
    expect(painted()).toBe(touched);
  });

  it("is heard once for each touch, as that comes down", async () => {
    start();
    screen.startApp("com.terrarium.latency");
    await settle(screen, host.clock);
    await swipe(screen, host.clock, [100, 300], [240, 300]);
    expect(host.clicks.count).toBe(1);
    await tap(screen, host.clock, 100, 300);
    expect(host.clicks.count).toBe(2);
  });

  it("has no mark on the home screen", async () => {
    start();
    await settle(screen, host.clock);
    expect(readLatencyMark(screen.pixels, screen.width, screen.height)).toBeUndefined();
  });
});

describe("form factors", () => {
  it("walks a TV with the arrow keys", async () => {
    start({ formFactor: "TV", osVersion: "12.0", display: { width: 1920, height: 1080, density: 320 } });
    await settle(screen, host.clock);
    press(keyCode.right);
    await settle(screen, host.clock);
    press(keyCode.center);
    expect(screen.focused).toBe("com.terrarium.notes/.Notes");
  });

  it("cuts a watch's picture round", async () => {
    start({ formFactor: "WATCH", osVersion: "14.0", display: { width: 454, height: 454, density: 320 } });
    screen.startApp("com.terrarium.settings");
    await settle(screen, host.clock);
    const corner = pixelsOf(screen, { x: 0, y: 0, w: 20, h: 20 });
    expect(new Set(Buffer.from(corner, "base64"))).toEqual(new Set([0, 255]));
  });

  it("has a watch's quick settings and recent apps within the round glass, and a swipe leaves both", async () => {
    start({ formFactor: "WATCH", osVersion: "14.0", display: { width: 454, height: 454, density: 320 } });
    screen.startApp("com.terrarium.notes");
    await settle(screen, host.clock);
    const notes = pixelsOf(screen);
    press(keyCode.notification);
    await settle(screen, host.clock);
    // The first tile: Wi-Fi, as wide as it is in the middle.
    await tap(screen, host.clock, 120, 215);
    expect(host.state.values.wifi).toBe(false);
    await swipe(screen, host.clock, [100, 300], [300, 300]);
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).toBe(notes);
    press(keyCode.recents);
    await settle(screen, host.clock);
    await tap(screen, host.clock, 227, 165);
    await settle(screen, host.clock);
    expect(pixelsOf(screen)).toBe(notes);
    press(keyCode.recents);
    await settle(screen, host.clock);
    // Below the one app: Clear all.
    await tap(screen, host.clock, 227, 267);
    expect(screen.focused).toBe(HOME);
  });

  it("offers no turning to what does not turn", () => {
    const named = (formFactor: FakeHostOptions["formFactor"] & string) =>
      tilesOf(fakeHost({ formFactor })).map(({ label }) => label);
    expect(named("PHONE")).toContain("Auto-rotate");
    for (const formFactor of ["TV", "WATCH", "CAR"] as const) {
      expect(named(formFactor)).not.toContain("Auto-rotate");
      const rows = displayPage.rows({ shell: { host: fakeHost({ formFactor }) } } as PageContext);
      expect(rows.map(({ id }) => id)).toEqual(["display/dark", "display/font"]);
    }
  });

  it.each(["PHONE", "TABLET", "FOLDABLE", "TV", "WATCH", "CAR"] as const)(
    "opens every app on a %s",
    async (formFactor) => {
      start({ formFactor, display: { width: 800, height: 600, density: 200 } });
      for (const app of host.apps()) {
        expect(screen.startApp(app.packageName)).toBe(true);
        await settle(screen, host.clock);
        expect(screen.focused.startsWith(`${app.packageName}/`)).toBe(true);
      }
    },
  );

  it("has one look each for Android 5 to 8, 9 to 11, and from 12 on", () => {
    const seen = (osVersion: string) => {
      start({ osVersion, hwNavigationKeys: true, display: { width: 360, height: 640, density: 160 } });
      screen.paint();
      const pixels = pixelsOf(screen);
      screen.close();
      return pixels;
    };
    const looks = [
      ["5.0", "8.1"],
      ["9.0", "11.0"],
      ["12.0", "16.0"],
    ].map((versions) => versions.map(seen));
    for (const [oldest, newest] of looks) expect(oldest === newest).toBe(true);
    expect(new Set(looks.flat()).size).toBe(3);
  });
});
