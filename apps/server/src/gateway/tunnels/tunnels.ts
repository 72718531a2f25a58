import type { Clock } from "@terrarium/clock";
import type { Farewell } from "../farewell.ts";
import type { Grant } from "../viewers/visitor.ts";
import type { DevicePipe } from "./device-pipe.ts";
import { Tunnel } from "./tunnel.ts";

/** Of one device. A stock adb opens one; each tool that comes along its own. */
const MAX_TUNNELS = 16;

export interface TunnelStats {
  /** Connections of adb that are open now, also those whose client may come back. */
  tunnels: number;
  toDeviceBytes: number;
  fromDeviceBytes: number;
}

/** The tunnels to this gateway's devices. */
export class Tunnels {
  readonly #clock: Clock;
  readonly #open = new Map<string, Tunnel>();
  readonly #bytes = { to_device: 0, from_device: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined if the device has as many as it may have. */
  open(
    instanceUuid: string,
    grant: Grant,
    { dial, onUse, onRun }: { dial: () => DevicePipe; onUse: () => void; onRun: (command: string) => void },
  ): Tunnel | undefined {
    if ([...this.#open.values()].filter((tunnel) => tunnel.instanceUuid === instanceUuid).length >= MAX_TUNNELS)
      return undefined;
    const tunnel: Tunnel = new Tunnel({
      instanceUuid,
      grant,
      pipe: dial(),
      clock: this.#clock,
      onRun,
      onBytes: (direction, length) => {
        this.#bytes[direction] += length;
        onUse();
      },
      onClose: () => this.#open.delete(tunnel.id),
    });
    this.#open.set(tunnel.id, tunnel);
    return tunnel;
  }

  /** One that this person has opened to this device, and that is still there. */
  find(id: string, instanceUuid: string, grant: Grant): Tunnel | undefined {
    const tunnel = this.#open.get(id);
    return tunnel?.instanceUuid === instanceUuid && tunnel.grant.user === grant.user ? tunnel : undefined;
  }

  /** The grants of all of them. */
  grants(): Grant[] {
    return [...this.#open.values()].map(({ grant }) => grant);
  }

  /** Closes those that these are. */
  close(which: (tunnel: Tunnel) => boolean, why: Farewell): void {
    for (const tunnel of this.#open.values()) if (which(tunnel)) tunnel.close(why);
  }

  stats(): TunnelStats {
    const { to_device: toDeviceBytes, from_device: fromDeviceBytes } = this.#bytes;
    return { tunnels: this.#open.size, toDeviceBytes, fromDeviceBytes };
  }
}
