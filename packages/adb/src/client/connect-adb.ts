import { hostAuth, type KeySource } from "../auth/host-auth.ts";
import { AdbConnection } from "../connection/adb-connection.ts";
import { formatHostBanner, parseBanner } from "../connection/banner.ts";
import type { Duplex } from "../connection/duplex.ts";
import { AdbError } from "../errors.ts";
import { supportedFeatures } from "../features.ts";
import { onAbort, orAborted } from "../wait.ts";
import type { AdbLink } from "./adb-link.ts";
import { installApk } from "./install.ts";
import { runPlainShell } from "./plain-shell.ts";
import { ReverseClient } from "./reverse-client.ts";
import { runShell, spawnRemote } from "./shell.ts";
import { SyncClient } from "./sync-client.ts";

export interface ConnectOptions {
  /** Aborts connecting, as for a time limit; has no effect once connected. */
  signal?: AbortSignal;
  /** Called for the key of this host when the device asks for one. */
  key?: KeySource | undefined;
  /** Streams at once, default 256. */
  maxStreams?: number;
  /** Called with errors that handlers of reverses threw, unless the device caused them. */
  report?: (error: unknown) => void;
}

/**
 * Connects to a device's adb daemon. A device that does not know the key shows it to its user, and answers nothing until
 * they accept it: limit that wait with the signal. Rejects with `AUTH_REQUIRED` when the device wants a key and there is
 * none, `AUTH_REFUSED` when it does not accept it, `PROTOCOL` when it is no adb daemon, `CLOSED` when it hangs up, or the
 * signal's reason; the duplex is closed then.
 */
export async function connectAdb(duplex: Duplex, options: ConnectOptions = {}): Promise<AdbLink> {
  const reverses = new ReverseClient();
  const connection = new AdbConnection(duplex, {
    role: "host",
    banner: formatHostBanner(supportedFeatures),
    auth: hostAuth(options.key),
    onOpen: (service) => reverses.find(service),
    maxStreams: options.maxStreams,
    report: options.report,
  });
  try {
    const { kind, ...banner } = parseBanner(await orAborted(connection.connected, options.signal));
    if (kind === "host") throw new AdbError("PROTOCOL", "the peer is not a device");
    return createLink(connection, banner, reverses);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function createLink(connection: AdbConnection, banner: AdbLink["banner"], reverses: ReverseClient): AdbLink {
  const { features } = banner;
  const hasShellV2 = features.has("shell_v2");
  const withSync = <T>(signal: AbortSignal | undefined, use: (sync: SyncClient) => Promise<T>) =>
    useSync(connection, features, signal, use);
  return {
    banner,
    gone: connection.gone,
    open: (service, signal) => connection.open(service, signal),
    openLocalAbstract: (name, signal) => connection.open(`localabstract:${name}`, signal),
    shell: (command, shellOptions = {}) => (hasShellV2 ? runShell : runPlainShell)(connection, command, shellOptions),
    spawn: async (command, spawnOptions = {}) => {
      if (!hasShellV2) throw new AdbError("REFUSED", "the device has no shell protocol v2");
      return await spawnRemote(connection, command, spawnOptions);
    },
    push: (pushOptions) => withSync(pushOptions.signal, (sync) => sync.push(pushOptions)),
    pull: (path, signal) => pull(connection, features, path, signal),
    stat: (path, signal) => withSync(signal, (sync) => sync.stat(path)),
    list: (path, signal) => withSync(signal, (sync) => sync.list(path)),
    install: (installOptions) => installApk(connection, installOptions),
    reverse: (address, accept, signal) => reverses.add(connection, address, accept, signal),
    close: () => connection.close(),
  };
}

async function useSync<T>(
  connection: AdbConnection,
  features: ReadonlySet<string>,
  signal: AbortSignal | undefined,
  use: (sync: SyncClient) => Promise<T>,
): Promise<T> {
  const stream = await connection.open("sync:", signal);
  const forget = onAbort(signal, () => stream.close());
  try {
    const sync = new SyncClient(stream, features);
    const result = await use(sync);
    // We have what we asked for; the device may close before it reads that we are done.
    await sync.quit().catch(() => {});
    return result;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    forget();
    stream.close();
  }
}

async function* pull(
  connection: AdbConnection,
  features: ReadonlySet<string>,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const stream = await connection.open("sync:", signal);
  const forget = onAbort(signal, () => stream.close());
  try {
    yield* new SyncClient(stream, features).pull(path);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    forget();
    stream.close();
  }
}
