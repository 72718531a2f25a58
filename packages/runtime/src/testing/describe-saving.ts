import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { DeviceRuntime } from "../device-runtime.ts";
import { type Layer, LayerDamagedError } from "../layers.ts";
import type { Machine, MachineSpec } from "../machine.ts";
import type { RuntimeUnderTest, SavingUnderTest } from "./describe-runtime.ts";

const none = new AbortController().signal;

/** What a runtime must do whose machines can be saved. */
export function describeSaving(underTest: () => RuntimeUnderTest, specOf: () => MachineSpec): void {
  describe("saving", () => {
    let runtime: DeviceRuntime;
    let saving: SavingUnderTest;
    beforeEach(() => {
      const test = underTest();
      runtime = test.runtime;
      saving = test.saving!;
    });
    const aSpec = (layers: readonly Layer[] = []): MachineSpec => ({ ...specOf(), id: randomUUID(), layers });
    const start = (layers?: readonly Layer[]) => runtime.start(aSpec(layers), none);
    const save = (machine: Machine, signal = none) => machine.save!({ onProgress: () => undefined }, signal);

    it("starts other machines from what was saved, also elsewhere", async () => {
      const machine = await start();
      await saving.write(machine, "a", "moss");
      await saving.write(machine, "b", "fern");
      const progress: [number, number][] = [];
      const layers = await machine.save!({ onProgress: (...numbers) => progress.push(numbers) }, none);
      const [done, total] = progress.at(-1)!;
      expect(done).toBe(total);
      for (const layer of layers) expect(await saving.layers.has(layer)).toBe(true);
      await machine.stop();
      const elsewhere = await saving.elsewhere();
      for (const place of [runtime, elsewhere]) {
        const next = await place.start(aSpec(layers), none);
        expect([await saving.read(next, "a"), await saving.read(next, "b")]).toEqual(["moss", "fern"]);
        await next.stop();
      }
    });

    it("saves what has changed since, and what was deleted; the earlier state can still be started", async () => {
      const machine = await start();
      for (const name of ["a", "b", "c"]) await saving.write(machine, name, name);
      const first = await save(machine);
      await machine.stop();
      const second = await start(first);
      expect(await save(second)).toEqual(first);
      await saving.delete(second, "a");
      await saving.write(second, "b", "changed");
      const layers = await save(second);
      await second.stop();
      const states: [readonly Layer[], (string | undefined)[]][] = [
        [layers, [undefined, "changed", "c"]],
        [first, ["a", "b", "c"]],
      ];
      for (const [saved, texts] of states) {
        const next = await start(saved);
        expect([await saving.read(next, "a"), await saving.read(next, "b"), await saving.read(next, "c")]).toEqual(
          texts,
        );
        await next.stop();
      }
    });

    it("stores equal content of two machines once", async () => {
      // Much more than a file system writes for a file besides.
      const text = randomBytes(4_000_000).toString("hex");
      const bytesFor = async (name: string) => {
        const before = saving.layers.bytes;
        const machine = await start();
        await saving.write(machine, name, text);
        await save(machine);
        await machine.stop();
        return saving.layers.bytes - before;
      };
      expect(await bytesFor("a")).toBeGreaterThan(text.length);
      expect(await bytesFor("a")).toBeLessThan(text.length / 10);
    });

    it("refuses a state of which a layer is damaged or missing, and leaves nothing", async () => {
      const machine = await start();
      await saving.write(machine, "a", randomBytes(100_000).toString("hex"));
      const layers = await save(machine);
      await machine.stop();
      const good = new Map(saving.layers.stored);
      const all = [...good.keys()];
      // The first, one between, and the last: some runtimes save dozens.
      for (const layer of new Set([all[0]!, all[all.length >> 1]!, all.at(-1)!]))
        for (const harm of [() => saving.layers.damage({ sha256: layer }), () => saving.layers.stored.delete(layer)]) {
          const elsewhere = await saving.elsewhere();
          harm();
          await expect(elsewhere.start(aSpec(layers), none)).rejects.toMatchObject({
            name: LayerDamagedError.name,
            message: expect.stringContaining(layer),
          });
          expect(await elsewhere.list()).toEqual([]);
          for (const [sha256, bytes] of good) saving.layers.stored.set(sha256, bytes);
        }
    });

    it("saves a machine again that runs on after a save, and after one that was aborted", async () => {
      const machine = await start();
      await saving.write(machine, "a", "first");
      await save(machine);
      const reason = new Error("no more");
      await expect(save(machine, AbortSignal.abort(reason))).rejects.toThrow("no more");
      const stop = new AbortController();
      await saving.write(machine, "a", "second");
      const saved = machine.save!({ onProgress: () => stop.abort(reason) }, stop.signal);
      await expect(saved).rejects.toThrow("no more");
      expect(machine.gone.aborted).toBe(false);
      const layers = await save(machine);
      await machine.stop();
      expect(await saving.read(await start(layers), "a")).toBe("second");
    });

    it("ends a save when the machine is stopped", async () => {
      const machine = await start();
      await saving.write(machine, "a", "moss");
      await machine.stop();
      await expect(save(machine)).rejects.toBeInstanceOf(Error);
    });
  });
}
