import type { SocketHandler } from "@terrarium/adb";
import type { SimulatedDevice } from "../device/simulated-device.ts";

/** What a service says, and which user adbd restarts as, if it restarts. */
interface Answer {
  says: string;
  asRoot?: boolean;
}

/** `adb root` and `adb unroot`, as adbd answers them: only a debuggable build lets adbd run as root. */
const answers: Record<string, (device: SimulatedDevice) => Answer> = {
  "root:": ({ adbdIsRoot, properties }) => {
    if (adbdIsRoot) return { says: "adbd is already running as root\n" };
    return properties.get("ro.debuggable") === "1"
      ? { says: "restarting adbd as root\n", asRoot: true }
      : { says: "adbd cannot run as root in production builds\n" };
  },
  "unroot:": ({ adbdIsRoot }) =>
    adbdIsRoot ? { says: "restarting adbd as non root\n", asRoot: false } : { says: "adbd not running as root\n" },
};

/** Who takes `root:` and `unroot:`; `restart` closes the connections, from which hosts reconnect. */
export function rootService(name: string, device: SimulatedDevice, restart: () => void): SocketHandler | undefined {
  if (!Object.hasOwn(answers, name)) return undefined;
  return async (stream) => {
    const { says, asRoot } = answers[name]!(device);
    await stream.write(new TextEncoder().encode(says));
    await stream.end();
    if (asRoot === undefined) return;
    device.adbdIsRoot = asRoot;
    void stream.closed.then(restart);
  };
}
