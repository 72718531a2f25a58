import type { FormFactor } from "@terrarium/runtime";
import type { Screen } from "@terrarium/simulator/screen";
import { describe, expect, it } from "vitest";
import { createScreen } from "./create-screen.ts";
import { type FakeHost, fakeHost, type FakeHostOptions } from "./testing/fake-host.ts";

const STEPS = 20;
/** With this one, on the TV, the edge of a surface of the settings once differed by one step of grey where it was cut off. */
const SEED = 50;
const APPS = ["settings", "calculator", "notes", "latency"];
/** Home, back, recents, volume, menu, wake up. */
const KEYS = [3, 4, 187, 24, 82, 224];

const devices: Record<string, FakeHostOptions> = {
  phone: { display: { width: 360, height: 800, density: 160 } },
  "phone of Android 5": { osVersion: "5.1", sdkVersion: 22, display: { width: 320, height: 480, density: 160 } },
  watch: { formFactor: "WATCH" satisfies FormFactor, display: { width: 384, height: 384, density: 320 } },
  TV: { formFactor: "TV", display: { width: 640, height: 360, density: 107 } },
};

/** The same numbers from 0 to 1 for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
}

/** Takes over what a screen says has changed. */
function follow(copy: Uint8Array, { pixels, changed, width }: Screen): Uint8Array {
  const next = copy.length === pixels.length ? copy : new Uint8Array(pixels.length);
  for (const area of changed)
    for (let y = area.y; y < area.y + area.height; y++) {
      const at = (y * width + area.x) * 4;
      next.set(pixels.subarray(at, at + area.width * 4), at);
    }
  return next;
}

describe("a picture that is painted by parts", () => {
  for (const [name, options] of Object.entries(devices))
    it(`is the same as one that is painted whole, on a ${name}`, async () => {
      const next = numbers(SEED);
      const hosts = [fakeHost(options), fakeHost(options)] as const;
      const [parts, whole] = hosts.map((host) => createScreen(host)) as [Screen, Screen];
      const both = (act: (screen: Screen, host: FakeHost) => void) => {
        act(parts, hosts[0]);
        act(whole, hosts[1]);
      };
      const wait = async (ms: number) => {
        for (const host of hosts) await host.clock.advance(ms);
      };
      let copy = new Uint8Array(0) as Uint8Array;
      let smallest = 1;
      const paintParts = () => {
        if (!parts.paint()) return;
        copy = follow(copy, parts);
        const changed = parts.changed.reduce((sum, area) => sum + area.width * area.height, 0);
        smallest = Math.min(smallest, changed / parts.width / parts.height);
      };
      const compare = (what: string) => {
        paintParts();
        // After a rest it is painted anew.
        whole.rest();
        whole.paint();
        expect(Buffer.compare(parts.pixels, whole.pixels), `painted, ${what}, seed ${SEED}`).toBe(0);
        expect(Buffer.compare(copy, whole.pixels), `said to have changed, ${what}, seed ${SEED}`).toBe(0);
      };
      for (let step = 0; step < STEPS; step++) {
        const [kind, choice, x, y] = [Math.floor(next() * 7), next(), next() * parts.width, next() * parts.height];
        const of = <T>(list: readonly T[]): T => list[Math.floor(choice * list.length)]!;
        if (kind === 0) both((screen) => screen.startApp(`com.terrarium.${of(APPS)}`));
        else if (kind === 1) both((screen) => screen.key("down", of(KEYS), 0));
        else if (kind === 2) both((screen) => screen.text("ab 你🌿"));
        else if (kind === 3) both((screen) => screen.scroll(x, y, 0, choice < 0.5 ? 1 : -1));
        else if (kind === 4 && choice < 0.3) {
          both((_screen, { state }) => state.set({ rotation: of([0, 1, 2, 3]), darkTheme: choice < 0.15 }));
          paintParts();
          whole.paint();
          // A rest ends the fading of what was shown before.
          await wait(300);
        } else {
          both((screen) => screen.touch("down", 0, x, y));
          for (let move = 1; move <= (kind === 5 ? 4 : 1); move++) {
            await wait(16);
            if (kind === 5) both((screen) => screen.touch("move", 0, x + move * 10, y - move * 30));
            compare(`step ${step}, move ${move}`);
          }
          both((screen) => screen.touch("up", 0, x, y));
        }
        for (const ms of [30, 50, 200]) {
          await wait(ms);
          compare(`step ${step}, of kind ${kind}, after ${ms} ms`);
        }
      }
      expect(smallest).toBeLessThan(1);
      both((screen) => screen.close());
    });
});
