import type { PlayerCommand } from "@terrarium/player";
import pino from "pino";
import { expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { fakeShell } from "../testing/fake-shell.ts";
import { openStream } from "./stream.ts";

it.each<[Extract<PlayerCommand, { type: "size" | "bitrate" }>[], object]>([
  [[{ type: "size", shortSidePx: 480 }], { maxSize: 853 }],
  [[{ type: "size", shortSidePx: 1 }], { maxSize: 213 }],
  [[{ type: "size", shortSidePx: 1080 }], {}],
  [
    [
      { type: "size", shortSidePx: 480 },
      { type: "size", shortSidePx: 0 },
    ],
    {},
  ],
  [[{ type: "bitrate", videoKbps: 5_000, audioBps: 0 }], { videoBitRate: 5_000_000 }],
  [[{ type: "bitrate", videoKbps: 0, audioBps: 192_000 }], { audioBitRate: 192_000 }],
  [[{ type: "bitrate", videoKbps: 0, audioBps: 1 }], { audioBitRate: 16_000 }],
  [[{ type: "bitrate", videoKbps: 0, audioBps: 1e7 }], { audioBitRate: 256_000 }],
  [[{ type: "bitrate", videoKbps: 1, audioBps: 0 }], { videoBitRate: 250_000 }],
  [[{ type: "bitrate", videoKbps: 1e9, audioBps: 0 }], { videoBitRate: 20_000_000 }],
  [
    [
      { type: "size", shortSidePx: 240 },
      { type: "bitrate", videoKbps: 0, audioBps: 0 },
    ],
    { maxSize: 427 },
  ],
])("after %j the stream of a device of 720 × 1280 is %j", async (commands, expected) => {
  const display = new FakeDisplay();
  const shape = {};
  Object.assign(display, { reshape: (change: object) => Object.assign(shape, change) });
  const { signal } = new AbortController();
  const parts = { kind: "handheld", sdkVersion: 30, isSimulated: false, broadcast: () => undefined } as const;
  const stream = await openStream(
    { ...parts, shell: fakeShell().run, display, signal, log: pino({ level: "silent" }) },
    signal,
  );
  for (const command of commands) stream?.handle(command, () => undefined);
  expect(shape).toEqual(expected);
});
