import type { ViewNode } from "@terrarium/simulator/screen";
import { afterEach, describe, expect, it } from "vitest";
import { createScreen } from "./create-screen.ts";
import { noticesOf } from "./system/notices.ts";
import { fakeHost, type FakeHost, type FakeHostOptions } from "./testing/fake-host.ts";
import { settle, tap } from "./testing/picture.ts";
import type { Screen } from "@terrarium/simulator/screen";

let screen: Screen;
let host: FakeHost;
async function start(options: FakeHostOptions = {}, app?: string): Promise<void> {
  host = fakeHost(options);
  screen = createScreen(host);
  await settle(screen, host.clock);
  if (app) screen.startApp(`com.terrarium.${app}`);
  await settle(screen, host.clock);
}
afterEach(() => screen.close());

const all = (node: ViewNode): ViewNode[] => [node, ...node.children.flatMap(all)];
const find = (test: (node: ViewNode) => boolean) => all(screen.view()).find(test)!;
const centre = ({ bounds: { left, top, right, bottom } }: ViewNode) =>
  [(left + right) / 2, (top + bottom) / 2] as const;
const texts = () => all(screen.view()).flatMap(({ text }) => text || []);

describe("the view of a screen", () => {
  it("names an icon without a text, and a tap on its middle opens it", async () => {
    await start();
    const icon = find(({ description }) => description === "Settings");
    expect(icon).toMatchObject({ clickable: true, className: "android.widget.ImageButton" });
    await tap(screen, host.clock, ...centre(icon));
    expect(screen.focused).toBe("com.terrarium.settings/.Settings");
  });

  it.each([
    ["the calculator's key that deletes", "key/⌫", "Delete"],
    ["the card of an app among the recent ones", "recents/com.terrarium.calculator", "Calculator"],
  ])("names %s", async (_, id, name) => {
    await start({}, "calculator");
    if (id.startsWith("recents")) screen.key("down", 187, 0);
    await settle(screen, host.clock);
    expect(find((node) => node.id === id).description).toBe(name);
  });

  it.each([1080, 720])("has the dock's icons in columns of the apps above, %i pixels wide", async (width) => {
    const others = ["Ant", "Bee", "Cat", "Dog", "Elk"].map((label) => ({
      packageName: `org.example.${label.toLowerCase()}`,
      label,
      versionName: "1",
      system: false,
    }));
    const display = { width, height: 2 * width, density: 320 };
    await start({ display, apps: [...fakeHost().apps(), ...others] });
    const across = (part: string) =>
      all(screen.view()).flatMap((node) => (node.id?.endsWith(part) ? centre(node)[0] : []));
    expect(across("/dock")).toHaveLength(3);
    for (const x of across("/dock"))
      expect(Math.min(...across("/cell").map((column) => Math.abs(column - x)))).toBeLessThan(2);
  });

  it("has a text with a shadow once, and what is above before what is below", async () => {
    await start();
    expect(texts().filter((text) => text === "Tides")).toHaveLength(1);
    const tops = screen.view().children.map(({ bounds }) => bounds.top);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });

  it("names what is pressed by the text on it, and a field by what it is for", async () => {
    await start();
    expect(find(({ id }) => id === "home/search").children.map(({ text }) => text)).toContain("Search apps");
    screen.startApp("com.terrarium.settings");
    await settle(screen, host.clock);
    expect(find(({ id }) => id === "settings/search").description).toBe("Search settings");
  });

  it("has a row's texts inside the row", async () => {
    await start({}, "settings");
    const row = find(({ id, children }) => id.startsWith("main/") || children.some(({ text }) => text === "Display"));
    expect(row.clickable).toBe(true);
    await tap(screen, host.clock, ...centre(find(({ text }) => text === "Display")));
    expect(texts()).toContain("Dark theme");
    expect(find(({ id }) => id === "display/dark")).toMatchObject({
      className: "android.widget.Switch",
      checked: false,
    });
    await tap(screen, host.clock, ...centre(find(({ id }) => id === "display/dark")));
    expect(find(({ id }) => id === "display/dark").checked).toBe(true);
  });

  it("names each key of the keyboard", async () => {
    await start({}, "settings");
    await tap(screen, host.clock, ...centre(find(({ id }) => id === "settings/search")));
    const keys = all(screen.view()).filter(({ id, clickable }) => clickable && id.startsWith("keyboard/letters"));
    expect(keys).toHaveLength(33);
    const named = keys.map(({ description, children }) => (description ?? children[0]?.text ?? "").trim());
    expect(named).not.toContain("");
    expect(named).toContain("space");
  });

  it("has nothing to press between the keys of the keyboard", async () => {
    await start({}, "settings");
    await tap(screen, host.clock, ...centre(find(({ id }) => id === "settings/search")));
    expect(all(screen.view()).filter(({ id }) => id === "keyboard")).toEqual([]);
  });

  it("finds a setting by its name, and leads to its page", async () => {
    await start({}, "settings");
    await tap(screen, host.clock, ...centre(find(({ id }) => id === "settings/search")));
    screen.text("font s");
    await settle(screen, host.clock);
    expect(find(({ id }) => id === "settings/search")).toMatchObject({
      className: "android.widget.EditText",
      text: "font s",
      focused: true,
    });
    expect(texts()).not.toContain("Network & internet");
    await tap(screen, host.clock, ...centre(find(({ text }) => text === "Font size")));
    expect(texts()).toContain("Dark theme");
    screen.key("down", 4, 0);
    await settle(screen, host.clock);
    expect(texts()).toContain("Network & internet");
  });

  it("tells of no battery and no mobile network on a TV", async () => {
    await start({ formFactor: "TV", display: { width: 1280, height: 720, density: 213 } }, "settings");
    expect(texts()).toContain("Wi-Fi");
    expect(texts().filter((text) => /battery|mobile|%$/i.test(text))).toEqual(["Media volume 53%"]);
  });

  it("tells of no battery in a car, which has a mobile network", async () => {
    await start({ formFactor: "CAR", display: { width: 1280, height: 720, density: 160 } });
    host.state.set({ battery: { level: 9, status: "discharging" } });
    screen.startApp("com.terrarium.settings");
    await settle(screen, host.clock);
    expect(texts().filter((text) => /battery|mobile/i.test(text))).toEqual(["Mobile data"]);
    expect(noticesOf(host).map(({ id }) => id)).not.toContain("low");
  });

  it("has nothing of what lies behind, nor of what is scrolled away", async () => {
    await start({ display: { width: 720, height: 1280, density: 320 } }, "settings");
    expect(texts()).toContain("Network & internet");
    expect(texts()).not.toContain("Search apps");
    screen.key("down", 83, 0);
    await settle(screen, host.clock);
    expect(all(screen.view()).filter(({ id }) => id.startsWith("main/") || id === "settings/list/scroll")).toEqual([]);
    screen.key("down", 83, 0);
    await settle(screen, host.clock);
    expect(find(({ className }) => className.endsWith("ScrollView")).scrollable).toBe(true);
    screen.scroll(360, 600, 0, -20);
    await settle(screen, host.clock);
    expect(texts()).not.toContain("Network & internet");
    screen.key("down", 83, 0);
    await settle(screen, host.clock);
    expect(texts()).toContain("Wi-Fi");
    expect(texts()).not.toContain("Settings");
  });

  it("keeps every child inside the screen and its parent's order of painting", async () => {
    await start({ formFactor: "TABLET", display: { width: 1280, height: 800, density: 213 } }, "calculator");
    for (const { bounds } of all(screen.view())) {
      expect(bounds.left >= 0 && bounds.top >= 0 && bounds.right <= 1280 && bounds.bottom <= 800).toBe(true);
      expect(bounds.right > bounds.left && bounds.bottom > bounds.top).toBe(true);
    }
  });

  it("has the text of a field in the field, and whether one writes there", async () => {
    await start({}, "notes");
    await tap(screen, host.clock, ...centre(find(({ description }) => description === "plus")));
    const field = () => find(({ className }) => className === "android.widget.EditText");
    await tap(screen, host.clock, ...centre(field()));
    screen.text("Fern\nMoss");
    await settle(screen, host.clock);
    expect(field()).toMatchObject({ text: "Fern\nMoss", focused: true, children: [] });
  });

  it("marks where the arrow keys are", async () => {
    await start({ formFactor: "TV", display: { width: 1280, height: 720, density: 213 } });
    expect(all(screen.view()).filter(({ focused }) => focused)).toHaveLength(1);
  });

  it("takes no memory for pixels when nobody looks", async () => {
    await start();
    screen.rest();
    expect(texts()).toContain("Simulated");
    expect(screen.pixels.length).toBe(0);
  });
});
