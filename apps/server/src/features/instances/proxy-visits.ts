import type { Clock } from "@terrarium/clock";
import type { Server } from "node:http";
import { ConnectionLimits } from "../../platform/http/connection-limits.ts";
import { proxyUpgrades, type UpgradeProxy } from "../../platform/http/proxy-upgrades.ts";
import { visitPathFor } from "./visit-path.ts";

/** A wall shows hundreds of miniatures, each with a connection of its own, and opens all of them again when it is reloaded. */
const miniatures = { maxPerMinute: 6_000, maxOpen: 2_000 };
/** One visitor has one, and perhaps another tab. With more, strangers could lock each other out. */
const showcase = { maxPerMinute: 60, maxOpen: 4 };

export interface VisitProxy extends Pick<UpgradeProxy, "find" | "clientAddress" | "log"> {
  clock: Clock;
}

/** Proxies viewers of devices to their gateways, until `stop`. Those who look at miniatures prevent nobody from using a device. */
export function proxyVisits(server: Server, { clock, ...options }: VisitProxy): { stop(): void } {
  const proxies = [
    proxyUpgrades(server, { ...options, path: visitPathFor("player"), limits: new ConnectionLimits(clock) }),
    proxyUpgrades(server, { ...options, path: visitPathFor("adb|upload|tools"), limits: new ConnectionLimits(clock) }),
    proxyUpgrades(server, {
      ...options,
      path: visitPathFor("miniature"),
      limits: new ConnectionLimits(clock, miniatures),
    }),
    proxyUpgrades(server, {
      ...options,
      path: visitPathFor("showcase"),
      limits: new ConnectionLimits(clock, showcase),
    }),
  ];
  return {
    stop() {
      for (const proxy of proxies) proxy.stop();
    },
  };
}
