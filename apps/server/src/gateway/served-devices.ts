import type { Clock } from "@terrarium/clock";
import { DeviceDirectory } from "./device-directory.ts";
import { type Farewell, farewells } from "./farewell.ts";
import type { WatchedDevice } from "./watched-device.ts";

/** How long viewers wait after their display broke: usually the device has ended, and that is what they should be sent. */
const LOST_MS = 1_000;

/** How devices come to viewers, lose their display, come back and end, and what viewers are sent about it. */
export class ServedDevices {
  readonly directory: DeviceDirectory;
  readonly #clock: Clock;
  /** Devices that lost their display and whose viewers have not been notified yet. */
  readonly #lost = new Map<string, WatchedDevice>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.directory = new DeviceDirectory(clock);
  }

  /** Lets viewers in, until its display ends. It takes the place of one that was there. */
  add(instanceUuid: string, device: WatchedDevice): void {
    const { gone } = device.source;
    this.directory.get(instanceUuid)?.stop(farewells.displayLost());
    this.#forget(instanceUuid, farewells.displayLost());
    this.directory.add(instanceUuid, device);
    if (gone.aborted) this.lose(instanceUuid, device);
    else gone.addEventListener("abort", () => this.lose(instanceUuid, device), { once: true });
  }

  /** Notifies its viewers that it will be back, unless it ends within a second. */
  lose(instanceUuid: string, device = this.directory.get(instanceUuid)): void {
    if (!device || device.over.aborted || this.#lost.get(instanceUuid) === device) return;
    this.directory.remove(instanceUuid, device);
    this.#lost.set(instanceUuid, device);
    this.#clock.sleep(LOST_MS, device.over).then(
      () => this.#forget(instanceUuid, farewells.displayLost()),
      // Its viewers have been sent something else.
      () => undefined,
    );
  }

  /** It is over, for those who watch or wait and for those who come later. */
  end(instanceUuid: string): void {
    const device = this.directory.get(instanceUuid);
    if (device) this.directory.remove(instanceUuid, device);
    device?.stop(farewells.deviceEnded());
    this.#forget(instanceUuid, farewells.deviceEnded());
    this.directory.end(instanceUuid);
  }

  /** Resolves once somebody waits for a device that is not there, or watched it until now; rejects with the signal's reason. */
  async wanted(instanceUuid: string, signal: AbortSignal): Promise<void> {
    if (!this.#lost.get(instanceUuid)?.viewers) await this.directory.wanted(instanceUuid, signal);
  }

  stop(): void {
    for (const [uuid, device] of this.directory.entries()) {
      this.directory.remove(uuid, device);
      device.stop(farewells.serverStopping());
    }
    for (const uuid of this.#lost.keys()) this.#forget(uuid, farewells.serverStopping());
  }

  #forget(instanceUuid: string, why: Farewell): void {
    const device = this.#lost.get(instanceUuid);
    this.#lost.delete(instanceUuid);
    device?.stop(why);
  }
}
