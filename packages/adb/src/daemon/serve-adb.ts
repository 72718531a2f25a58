import { deviceAuth } from "../auth/device-auth.ts";
import { AdbConnection, type AcceptStream } from "../connection/adb-connection.ts";
import { formatDeviceBanner } from "../connection/banner.ts";
import type { Duplex } from "../connection/duplex.ts";
import { supportedFeatures } from "../features.ts";
import type { AdbDaemon, AdbDaemonOptions } from "./adb-daemon.ts";
import type { DeviceServices, LocalSocketKind } from "./device-services.ts";
import { serveReverse } from "./reverse-service.ts";
import { ReverseTable, type OpenOnHost } from "./reverse-table.ts";
import { parseShellService, serveShell } from "./shell-service.ts";
import { serveSync } from "./sync-service.ts";

/** What adbd says on a production build. */
const fixedAnswers: Readonly<Record<string, string>> = {
  "root:": "adbd cannot run as root in production builds\n",
  "unroot:": "adbd not running as root\n",
  "remount:": 'Not running as root. Try "adb root" first.\n',
};

interface Context {
  services: DeviceServices;
  reverses: ReverseTable;
  openOnHost: OpenOnHost;
  report: ((error: unknown) => void) | undefined;
}

/** Speaks the device's side of adb on one connection of a host. The caller limits how long `connected` may take. */
export function serveAdb(duplex: Duplex, options: AdbDaemonOptions): AdbDaemon {
  const { services, banner, auth, features = supportedFeatures, reverses = new ReverseTable() } = options;
  const { maxStreams, report } = options;
  const openOnHost: OpenOnHost = (service, signal) => connection.open(service, signal);
  const context = { services, reverses, openOnHost, report };
  const connection = new AdbConnection(duplex, {
    role: "device",
    banner: formatDeviceBanner({ ...banner, features: new Set(features) }),
    auth: auth && deviceAuth(auth),
    onOpen: (service, signal) => accept(service, context, signal),
    maxStreams,
    report,
  });
  connection.gone.addEventListener("abort", () => reverses.removeOf(openOnHost));
  const connected = connection.connected.then(() => undefined);
  // Whoever awaits it gets the rejection; nobody has to await it.
  connected.catch(() => {});
  return {
    connected,
    gone: connection.gone,
    close: () => connection.close(),
  };
}

/** What accepts a service; undefined for those that this device does not have, such as `jdwp` and `track-*`. */
function accept(
  service: string,
  { services, reverses, openOnHost, report }: Context,
  signal: AbortSignal,
): AcceptStream | undefined | Promise<AcceptStream | undefined> {
  const shell = parseShellService(service);
  if (shell) return (stream) => serveShell(stream, shell, services, report);
  if (service === "sync:") return (stream) => serveSync(stream, services.files, report);
  const own = services.service?.(service);
  if (own) return own;
  const text = Object.hasOwn(fixedAnswers, service) ? fixedAnswers[service] : undefined;
  if (text !== undefined) return (stream) => say(stream, text);
  const colon = service.indexOf(":");
  const name = service.slice(0, colon);
  const argument = service.slice(colon + 1);
  if (name === "reverse") return (stream) => serveReverse(stream, argument, reverses, openOnHost);
  if (name === "reboot" && services.reboot)
    return async (stream) => {
      await services.reboot?.(argument);
      await stream.end();
    };
  if (name === "tcp" && /^\d{1,5}$/.test(argument)) return services.tcp?.(Number(argument), signal);
  const kind = localKinds.get(name);
  return kind && services.localSocket?.(argument, kind, signal);
}

/** `local:` is a path in the file system. */
const localKinds: ReadonlyMap<string, LocalSocketKind> = new Map([
  ["localabstract", "abstract"],
  ["localfilesystem", "filesystem"],
  ["local", "filesystem"],
  ["localreserved", "reserved"],
]);

async function say(
  stream: { write(bytes: Uint8Array): Promise<void>; end(): Promise<void> },
  text: string,
): Promise<void> {
  await stream.write(new TextEncoder().encode(text));
  await stream.end();
}
