import { canTurn } from "@terrarium/simulator/screen";
import { around, midX, rect, type Rect } from "../../draw/rect.ts";
import type { Row } from "../../ui/rows.ts";
import { batteryWord, gigabytes } from "./main-rows.ts";
import type { Page, PageContext } from "./page.ts";

const FONT_SCALES = [0.85, 1, 1.15, 1.3];
const fontWords: Record<number, string> = { 0.85: "Small", 1: "Default", 1.15: "Large", 1.3: "Largest" };

/** Wi-Fi, mobile data and airplane mode. */
export const networkPage: Page = {
  title: "Network & internet",
  rows: ({ shell: { host } }) => {
    const { wifi, mobileData, airplaneMode, mobileSignal } = host.state.values;
    const isTv = host.spec.hardware.formFactor === "TV";
    const toggle = (values: Parameters<typeof host.state.set>[0]) => () => host.state.set(values);
    const rows: Row[] = [
      {
        id: "net/wifi",
        title: "Wi-Fi",
        detail: wifi ? "Connected" : "Off",
        icon: "wifi",
        on: wifi,
        tap: toggle({ wifi: !wifi }),
      },
      {
        id: "net/mobile",
        title: "Mobile data",
        detail: airplaneMode ? "Off in airplane mode" : `Signal ${mobileSignal} of 4`,
        icon: "cellular",
        on: mobileData && !airplaneMode,
        tap: toggle({ mobileData: !mobileData }),
      },
      {
        id: "net/air",
        title: "Airplane mode",
        icon: "airplane",
        on: airplaneMode,
        tap: toggle({ airplaneMode: !airplaneMode }),
      },
    ];
    return isTv ? rows.filter(({ id }) => id === "net/wifi") : rows;
  },
};

/** Theme, text size and turning. */
export const displayPage: Page = {
  title: "Display",
  rows: ({ shell: { host } }) => {
    const { darkTheme, autoRotate, fontScale } = host.state.values;
    const at = nearest(fontScale);
    const step = FONT_SCALES.length - 1;
    const rows: Row[] = [
      {
        id: "display/dark",
        title: "Dark theme",
        icon: "moon",
        on: darkTheme,
        tap: () => host.state.set({ darkTheme: !darkTheme }),
      },
      {
        id: "display/turn",
        title: "Auto-rotate screen",
        icon: "rotate",
        on: autoRotate,
        tap: () => host.state.set({ autoRotate: !autoRotate }),
      },
      {
        id: "display/font",
        title: "Font size",
        detail: fontWords[FONT_SCALES[at] ?? 1] ?? "Default",
        icon: "text",
        slide: {
          part: at / step,
          set: (part) => host.state.set({ fontScale: FONT_SCALES[Math.round(part * step)] ?? 1 }),
        },
      },
    ];
    return canTurn(host.spec.hardware.formFactor) ? rows : rows.filter(({ id }) => id !== "display/turn");
  },
  header: ({ ui }, column, y) => {
    const { colors, era } = ui.look;
    const card = rect(column.x + 16, y + 8, column.w - 32, 96 * ui.pen.fontScale);
    ui.pen.round(card, Math.min(22, ui.look.radius.card), era === "you" ? colors.accentSoft : colors.surfaceHigh);
    const ink = era === "you" ? colors.onAccentSoft : colors.text;
    ui.pen.text("The quick brown fox", card.x + 20, card.y + card.h * 0.36, {
      size: 20,
      weight: 500,
      color: ink,
      max: card.w - 40,
    });
    const sample = "jumps over the lazy dog at this size";
    ui.pen.text(sample, card.x + 20, card.y + card.h * 0.68, { size: 14, color: ink, max: card.w - 40 });
    return card.h + 20;
  },
};

const nearest = (scale: number): number =>
  FONT_SCALES.reduce(
    (best, value, i) => (Math.abs(value - scale) < Math.abs((FONT_SCALES[best] ?? 1) - scale) ? i : best),
    0,
  );

/** The volume, the same as the keys at the side change. */
export const soundPage: Page = {
  title: "Sound",
  rows: ({ shell: { host } }) => [
    {
      id: "sound/media",
      title: "Media volume",
      detail: `${host.state.values.volume} of 15`,
      icon: host.state.values.volume === 0 ? "mute" : "sound",
      slide: { part: host.state.values.volume / 15, set: (part) => host.state.set({ volume: Math.round(part * 15) }) },
    },
  ],
};

export const batteryPage: Page = {
  title: "Battery",
  rows: ({ shell: { host } }) => {
    const { level, status } = host.state.values.battery;
    return [
      { id: "battery/level", title: "Level", detail: `${level}%`, icon: "battery" },
      { id: "battery/status", title: "State", detail: capital(batteryWord(status)), icon: "bolt" },
    ];
  },
  header: ({ ui, shell: { host } }, column, y) => {
    const { colors } = ui.look;
    const { level, status } = host.state.values.battery;
    const radius = 62;
    const centre = { x: midX(column), y: y + radius + 22 };
    ui.pen.ring({ ...centre, radius }, ui.look.dark ? colors.surfaceHigh : colors.accentSoft, 12);
    const part = Math.max(0.001, level / 100);
    const color = level <= 15 && status === "discharging" ? colors.danger : colors.accent;
    ui.pen.ring({ ...centre, radius }, color, 12, [0, part]);
    const size = 34 / ui.pen.fontScale;
    ui.pen.text(`${level}%`, centre.x, centre.y - (status === "charging" ? 6 : 0), {
      size,
      weight: 400,
      color: colors.text,
      align: "center",
    });
    if (status === "charging") ui.pen.icon("bolt", around(centre.x, centre.y + 24, 20, 20), color);
    return radius * 2 + 52;
  },
};

export const storagePage: Page = {
  title: "Storage",
  rows: ({ shell: { host } }) => [
    { id: "storage/data", title: "Data disk", detail: gigabytes(host.spec.hardware.dataDiskMb), icon: "storage" },
    { id: "storage/ram", title: "Memory", detail: gigabytes(host.spec.hardware.ramMb), icon: "chip" },
  ],
};

/** The true properties of the image and the hardware. */
export const aboutPage: Page = {
  title: "About device",
  rows: ({ shell: { host } }) => {
    const { image, hardware, name } = host.spec;
    const display = hardware.displays[0];
    const fact = (id: string, title: string, detail: string): Row => ({ id: `about/${id}`, title, detail });
    const property = (key: string, otherwise = "–"): string => host.property(key) || otherwise;
    const facts = [
      fact("name", "Device name", name),
      fact("model", "Model", property("ro.product.model", hardware.name)),
      fact("android", "Android version", image.osVersion),
      fact("api", "API level", String(image.sdkVersion)),
      fact("build", "Build number", property("ro.build.display.id", image.imageVersion)),
      fact("serial", "Serial number", property("ro.serialno")),
      fact("abi", "ABI", property("ro.product.cpu.abi", image.arch)),
      fact("cpu", "Processors", String(hardware.cpuCount)),
      fact("ram", "RAM", gigabytes(hardware.ramMb)),
    ];
    if (display) {
      facts.push(
        fact("resolution", "Resolution", `${display.width} × ${display.height} pixels`),
        fact("density", "Density", `${display.density} dpi`),
      );
    }
    return facts;
  },
  header: (context, column, y) => drawSimulatedNote(context, column, y),
};

const NOTE = "Drawn and answered by a simulator. Apps' own code is not run here.";

function drawSimulatedNote({ ui }: PageContext, column: Rect, y: number): number {
  const { colors, era, radius } = ui.look;
  const text = { size: 14, color: era === "you" ? colors.onAccentSoft : colors.textSoft };
  const width = column.w - 32 - 84;
  const lines = ui.pen.lines(NOTE, text, width).length;
  const card = rect(column.x + 16, y + 8, column.w - 32, (44 + lines * 20) * ui.pen.fontScale + 10);
  ui.pen.round(card, Math.min(22, radius.card), era === "you" ? colors.accentSoft : colors.surfaceHigh);
  const ink = era === "you" ? colors.onAccentSoft : colors.text;
  ui.pen.icon("sprout", around(card.x + 36, card.y + card.h / 2, 30, 30), era === "you" ? ink : colors.accent, 1.8);
  ui.pen.text("Simulated device", card.x + 68, card.y + 24 * ui.pen.fontScale, {
    size: 16,
    weight: 500,
    color: ink,
    max: width,
  });
  ui.pen.paragraph(NOTE, rect(card.x + 68, card.y + 38 * ui.pen.fontScale, width, 0), text);
  return card.h + 20;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
