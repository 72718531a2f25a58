import { aborted } from "@terrarium/clock";
import type { Machine } from "@terrarium/runtime";
import { Cleanup } from "../../platform/clean-up.ts";

/** The adb link to a machine and what the gateway does over it. */
export interface DeviceLink {
  /** Resolves when package manager, input and launcher answer. */
  booted(signal: AbortSignal): Promise<void>;
  /** Resolves once somebody wants to see or use the device. */
  wanted(signal: AbortSignal): Promise<void>;
  /** Opens the display and lets viewers in. */
  openDisplay(signal: AbortSignal): Promise<{ gone: AbortSignal; close(): Promise<void> }>;
  gone: AbortSignal;
  close(): Promise<void>;
}

export interface LiveDeviceDeps {
  /** Starts the machine, or finds the one that runs already after a restart. */
  power(signal: AbortSignal): Promise<Machine>;
  connect(machine: Machine, signal: AbortSignal): Promise<DeviceLink>;
  /** Writes that the device got this far; what was written before a restart is not written again. */
  reached(event: "powered" | "answered" | "booted", machine: Machine): Promise<void>;
  /** Whether it has been booted before; its display is opened once somebody wants it then. */
  wasBooted(): boolean;
  /**
   * Waits until the device is to be saved, saves it, and ends it by `stop`; if it could not be saved, waits again. Resolves when the device
   * is saved, or when `alive` aborts before.
   */
  save(machine: Machine, alive: AbortSignal): Promise<void>;
  /** Waits before the link is tried again. */
  pause(signal: AbortSignal): Promise<void>;
  report(error: unknown): void;
}

export interface Ends {
  /** The device is to end: everything is undone. */
  stop: AbortSignal;
  /** Only this gateway is to let go: the machine stays for the next one. */
  leave: AbortSignal;
}

export type Outcome = { end: "stopped" } | { end: "left" } | { end: "failed"; error: unknown };

/** The machine ended although nobody asked for it. */
export class MachineGoneError extends Error {
  override readonly name = "MachineGoneError";
}

/** The life of one running device, from power-on until `stop` or `leave` aborts. Read it downwards; it is undone upwards. */
export async function liveDevice(deps: LiveDeviceDeps, { stop, leave }: Ends): Promise<Outcome> {
  const cleanup = new Cleanup();
  const over = AbortSignal.any([stop, leave]);
  let failure: { error: unknown } | undefined;
  try {
    // Power
    const machine = await deps.power(over);
    cleanup.add(() => (leave.aborted && !stop.aborted ? undefined : machine.stop()));
    await deps.reached("powered", machine);

    // A machine that dies ends every wait below.
    const alive = AbortSignal.any([over, machine.gone]);

    // Save: beside the link, which it does not need.
    const saved = deps.save(machine, alive);
    saved.catch(() => undefined);

    // A link that breaks is made again.
    while (!alive.aborted) {
      await useLink(deps, machine, alive).catch((error: unknown) => {
        if (!alive.aborted) deps.report(error);
      });
      if (!alive.aborted) await deps.pause(alive).catch(() => undefined);
    }
    await saved;
    if (!over.aborted) throw new MachineGoneError("the machine is gone", { cause: machine.gone.reason });
  } catch (error) {
    // To be asked to end early is not a failure.
    if (!over.aborted) failure = { error };
  }
  await cleanup.run().catch((error: unknown) => (failure ??= { error }));
  if (failure) return { end: "failed", error: failure.error };
  return { end: stop.aborted ? "stopped" : "left" };
}

/** One link's life: resolves or throws when it, its display or the machine is over. */
async function useLink(deps: LiveDeviceDeps, machine: Machine, alive: AbortSignal): Promise<void> {
  const cleanup = new Cleanup();
  try {
    // Boot
    const link = await deps.connect(machine, alive);
    cleanup.add(() => link.close());
    const linked = AbortSignal.any([alive, link.gone]);
    await deps.reached("answered", machine);
    await link.booted(linked);

    // Display: open before we say online, so the first viewer never waits for the encoder. Hundreds that are taken over at once, or whose
    // links broke, are not painted for nobody.
    if (deps.wasBooted()) await link.wanted(linked);
    const display = await link.openDisplay(linked);
    cleanup.add(() => display.close());
    await deps.reached("booted", machine);

    // Online
    await aborted(AbortSignal.any([linked, display.gone]));
  } finally {
    await cleanup.run();
  }
}
