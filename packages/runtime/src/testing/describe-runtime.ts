import { connect } from "node:net";
import { aborted } from "@terrarium/clock";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DeviceRuntime, NoSlotError } from "../device-runtime.ts";
import type { Machine, MachineSpec } from "../machine.ts";
import { aMachineSpec } from "./a-machine-spec.ts";
import { describeSaving } from "./describe-saving.ts";
import type { MemoryLayers } from "./memory-layers.ts";

/** A runtime, and what a test needs to try it. */
export interface RuntimeUnderTest {
  runtime: DeviceRuntime;
  /** Another runtime on the same machines, as after a restart of the server. */
  restarted(): Promise<DeviceRuntime>;
  /** How many machines fit. */
  slots: number;
  /** Whether something listens on a machine's address. */
  listens: boolean;
  /** What the runtime's images say that they run; anything by default. */
  artefact?: string;
  /** Whether one processor and little memory are enough for what is tried, as those that are emulated cost much. */
  isSlow?: boolean;
  /** Whether a device goes on by itself when its machine has ended, as a phone does. */
  staysOn?: boolean;
  /** A machine ends although nobody asked for it. */
  kill(machine: Machine): Promise<unknown>;
  /** From now on, starts are never answered. */
  stall?(): Promise<unknown>;
  /** What a machine says that it has. */
  resources?(machine: Machine): Promise<{ cpuCount: number; ramMb: number }>;
  /** The runtime of another installation that reaches the same machines, or the engine that they run in. */
  stranger?(): Promise<DeviceRuntime>;
  /** For a runtime whose machines can be saved. */
  saving?: SavingUnderTest;
  /** Ends all machines and releases everything. */
  dispose(): Promise<void>;
}

export interface SavingUnderTest {
  /** The store that the runtime was created with. */
  layers: MemoryLayers;
  /** A runtime with the same store on another computer, which knows only what is in the store. */
  elsewhere(): Promise<DeviceRuntime>;
  /** Stores a text under a name, on a machine that has just started. */
  write(machine: Machine, name: string, text: string): Promise<void>;
  /** Undefined if there is none. */
  read(machine: Machine, name: string): Promise<string | undefined>;
  delete(machine: Machine, name: string): Promise<void>;
}

/** What not every runtime can do, or have tried. */
export interface RuntimeTraits {
  /** Whether its machines can be saved. */
  save: boolean;
  stall?: boolean;
  resources?: boolean;
  stranger?: boolean;
}

const NOT_TRIED = "—";
const none = new AbortController().signal;
const ids = Array.from({ length: 8 }, (_, at) => `00000000-0000-4000-8000-00000000000${at}`);

/** What every runtime must do, whatever it runs. Call it from a test file of the runtime. It prints what the runtime passes as a table. */
export function describeRuntime(
  name: string,
  make: () => Promise<RuntimeUnderTest>,
  can: RuntimeTraits = { save: false },
): void {
  describe(`runtime ${name}`, () => {
    let test: RuntimeUnderTest;
    let spec: MachineSpec;
    const rows: [what: string, passes: string][] = [];
    beforeEach(async () => {
      test = await make();
      spec = aMachineSpec({ id: ids[0]! });
      if (test.isSlow) Object.assign(spec.hardware, { cpuCount: 1, ramMb: 512 });
      if (test.artefact !== undefined) spec.image = { ...spec.image, artefact: test.artefact };
    });
    afterEach(async ({ task }) => {
      rows.push([task.name, task.result?.state === "fail" ? "FAILS" : "yes"]);
      await test.dispose();
    });
    afterAll(() => console.info(tableOf(name, rows)));
    it("starts a machine that is listed and answers on its address", async () => {
      const machine = await test.runtime.start(spec, none);
      expect(machine).toMatchObject({ id: spec.id, boot: 1 });
      expect(machine.gone.aborted).toBe(false);
      expect(machine.capabilities).toBeInstanceOf(Set);
      expect(await test.runtime.list()).toEqual([{ id: spec.id, boot: 1 }]);
      expect(await listens(machine.adb)).toBe(test.listens);
    });

    it("answers the machine that runs already for the same id and boot", async () => {
      const [first, second] = await Promise.all([test.runtime.start(spec, none), test.runtime.start(spec, none)]);
      expect(second.adb).toEqual(first.adb);
      expect(await test.runtime.list()).toHaveLength(1);
    });

    it("ends the machine of an older boot when a newer one is started", async () => {
      const old = await test.runtime.start(spec, none);
      const next = await test.runtime.start({ ...spec, boot: 2 }, none);
      await aborted(old.gone);
      expect(next.gone.aborted).toBe(false);
      expect(await test.runtime.list()).toEqual([{ id: spec.id, boot: 2 }]);
      // An old handle must not touch the new machine.
      await old.stop();
      expect(await test.runtime.list()).toEqual([{ id: spec.id, boot: 2 }]);
    });

    it("refuses to start an older boot beside a newer one", async () => {
      await test.runtime.start({ ...spec, boot: 2 }, none);
      await expect(test.runtime.start(spec, none)).rejects.toThrow("boot 2");
      expect(await test.runtime.list()).toEqual([{ id: spec.id, boot: 2 }]);
    });

    it("tells that a machine is gone when it is stopped, by its handle or by its id, once or twice", async () => {
      const machine = await test.runtime.start(spec, none);
      await machine.stop();
      await aborted(machine.gone);
      await machine.stop();
      expect(await test.runtime.list()).toEqual([]);
      expect(await listens(machine.adb)).toBe(test.staysOn ?? false);
      const again = await test.runtime.start({ ...spec, boot: 2 }, none);
      await test.runtime.stop(spec.id);
      await aborted(again.gone);
      await test.runtime.stop(spec.id);
      expect(await test.runtime.list()).toEqual([]);
    });

    it("starts nothing when it was aborted before, and leaves nothing when it is aborted meanwhile", async () => {
      const reason = new Error("no more");
      await expect(test.runtime.start(spec, AbortSignal.abort(reason))).rejects.toThrow("no more");
      const stop = new AbortController();
      const starting = test.runtime.start(spec, stop.signal);
      stop.abort(reason);
      const machine = await starting.catch(() => undefined);
      await machine?.stop();
      expect(await test.runtime.list()).toEqual([]);
    });

    it("throws NoSlotError when nothing more fits, and has room again after a stop", async () => {
      if (!Number.isFinite(test.slots)) return;
      const all = ids.slice(0, test.slots + 1);
      for (const id of all.slice(0, -1)) await test.runtime.start({ ...spec, id }, none);
      await expect(test.runtime.start({ ...spec, id: all.at(-1)! }, none)).rejects.toBeInstanceOf(NoSlotError);
      await test.runtime.stop(all[0]!);
      await test.runtime.start({ ...spec, id: all.at(-1)! }, none);
    });

    it("finds its machines again after a restart", async () => {
      const machine = await test.runtime.start(spec, none);
      await test.runtime.close();
      const runtime = await test.restarted();
      expect(await runtime.place()).toBe(await test.runtime.place());
      expect(await runtime.list()).toEqual([{ id: spec.id, boot: 1 }]);
      const adopted = await runtime.adopt({ id: spec.id, boot: 1 });
      expect(adopted).toMatchObject({ adb: machine.adb, capabilities: machine.capabilities });
      expect(await runtime.adopt({ id: ids[7]!, boot: 1 })).toBeUndefined();
      await adopted!.stop();
      await aborted(adopted!.gone);
      expect(await runtime.list()).toEqual([]);
    });

    it("stops a machine of an older boot when it is met", async () => {
      await test.runtime.start(spec, none);
      expect(await test.runtime.adopt({ id: spec.id, boot: 2 })).toBeUndefined();
      expect(await test.runtime.list()).toEqual([]);
    });

    it("says whether its machines can be saved, and starts none from a saved state otherwise", async () => {
      const machine = await test.runtime.start(spec, none);
      expect(machine.capabilities.has("save")).toBe(can.save);
      expect(machine.save !== undefined).toBe(can.save);
      if (can.save) return;
      const saved = { ...spec, id: ids[1]!, layers: [{ sha256: "0".repeat(64), size: 1 }] };
      await expect(test.runtime.start(saved, none)).rejects.toBeInstanceOf(Error);
    });

    it("runs two at once, each at an address of its own, of which one ends without the other", async () => {
      if (test.slots < 2) return;
      const specs = [spec, { ...spec, id: ids[1]! }] as const;
      const [one, other] = await Promise.all(specs.map((each) => test.runtime.start(each, none)));
      expect(one!.adb).not.toEqual(other!.adb);
      await one!.stop();
      expect(other!.gone.aborted).toBe(false);
      expect(await test.runtime.list()).toEqual([{ id: ids[1], boot: 1 }]);
    });

    it("tells that a machine is gone when it ends by itself, and starts the next boot", async () => {
      const machine = await test.runtime.start(spec, none);
      await test.kill(machine);
      await aborted(machine.gone);
      expect(machine.gone.reason).toBeInstanceOf(Error);
      expect(await test.runtime.list()).toEqual([]);
      await expect
        .poll(async () => (await test.runtime.start({ ...spec, boot: 2 }, none)).boot, { timeout: 30_000 })
        .toBe(2);
    });

    it("is not confused by names and numbers that nobody should have given it", async () => {
      await test.runtime.stop("../../etc/passwd");
      expect(await test.runtime.adopt({ id: "../../etc/passwd", boot: 1 })).toBeUndefined();
      const odd = { ...spec, name: `$(reboot); "'\n\u0000 ../..`, hardware: { ...spec.hardware, name: "`id`" } };
      const machine = await test.runtime.start(odd, none);
      expect(await test.runtime.adopt({ id: spec.id, boot: 0 })).toBeUndefined();
      expect(machine.gone.aborted).toBe(false);
      expect(await test.runtime.list()).toEqual([{ id: spec.id, boot: 1 }]);
    });

    const endStalledStarts = () =>
      it("ends a start by its signal that is never answered, and leaves nothing", async () => {
        await test.stall!();
        const stop = new AbortController();
        const starting = test.runtime.start(spec, stop.signal);
        await new Promise(setImmediate);
        stop.abort(new Error("too late"));
        await expect(starting).rejects.toThrow("too late");
        expect(await test.runtime.list()).toEqual([]);
      });
    if (can.stall) endStalledStarts();
    else rows.push(["ends a start by its signal that is never answered, and leaves nothing", NOT_TRIED]);

    const giveResources = () =>
      it("gives a machine the processors and the memory of its profile", async () => {
        const given = { cpuCount: 3, ramMb: spec.hardware.ramMb * 0.75 };
        const machine = await test.runtime.start({ ...spec, hardware: { ...spec.hardware, ...given } }, none);
        expect(await test.resources!(machine)).toEqual(given);
      });
    if (can.resources) giveResources();
    else rows.push(["gives a machine the processors and the memory of its profile", NOT_TRIED]);

    const leaveStrangers = () =>
      it("leaves the machines of another installation alone", async () => {
        const machine = await test.runtime.start(spec, none);
        const stranger = await test.stranger!();
        expect(await stranger.place()).not.toBe(await test.runtime.place());
        expect(await stranger.list()).toEqual([]);
        await stranger.stop(spec.id);
        expect(await stranger.adopt({ id: spec.id, boot: 2 })).toBeUndefined();
        const other = await stranger.start({ ...spec, id: ids[1]! }, none);
        expect(other.adb).not.toEqual(machine.adb);
        expect(machine.gone.aborted).toBe(false);
        expect(await test.runtime.list()).toEqual([{ id: spec.id, boot: 1 }]);
      });
    if (can.stranger) leaveStrangers();
    else rows.push(["leaves the machines of another installation alone", NOT_TRIED]);

    if (can.save)
      describeSaving(
        () => test,
        () => spec,
      );
    else rows.push(["saves machines, and starts others from what was saved", NOT_TRIED]);
  });
}

/** Markdown, as it stands in docs/RUNTIMES.md. */
const tableOf = (name: string, rows: readonly [string, string][]): string =>
  [
    `| What | ${name} |`,
    "| --- | --- |",
    ...rows.toSorted(([, one], [, other]) => Number(one === NOT_TRIED) - Number(other === NOT_TRIED)).map(lineOf),
  ].join("\n");

const lineOf = (row: readonly [string, string]): string => `| ${row.join(" | ")} |`;

const listens = ({ host, port }: { host: string; port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
