import { chmodSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { Clock } from "@terrarium/clock";
import { type Asks, CONTROL_VERSION, HostError, type Request } from "./control-protocol.ts";
import type { DeviceHost } from "./device-host.ts";
import { readJsonLines, writeJsonLine } from "./json-lines.ts";
import { listenOnce } from "./listen-once.ts";

/** How long a host without devices stays without anyone watching: a server that restarts finds it again. */
const EMPTY_ORPHAN_MS = 10_000;

export interface ControlServerOptions {
  path: string;
  host: DeviceHost;
  clock: Clock;
  /** How long the host leaves its devices running while nobody watches. */
  orphanMs: number;
  log: (line: string) => void;
}

export interface ControlServer {
  /** Resolves with the reason when the host should end: asked to, or nobody watches. */
  readonly over: Promise<string>;
  /** Closes the socket and removes it. */
  stop(): Promise<void>;
}

/** Opens the control socket. Throws if another host answers on it; one that a dead host left is taken over. */
export async function startControlServer({
  path,
  host,
  clock,
  orphanMs,
  log,
}: ControlServerOptions): Promise<ControlServer> {
  const sockets = new Set<Socket>();
  const over = Promise.withResolvers<string>();
  const watching = new Set<Socket>();
  let adopted = new AbortController();

  const countOrphan = (): void => {
    adopted = new AbortController();
    const ms = host.size === 0 ? Math.min(EMPTY_ORPHAN_MS, orphanMs) : orphanMs;
    clock.sleep(ms, adopted.signal).then(
      () => over.resolve(`nobody watched for ${ms} ms`),
      // Somebody came.
      () => undefined,
    );
  };

  const answers: {
    [Name in keyof Asks]: (
      asks: Asks[Name]["asks"],
      socket: Socket,
    ) => Promise<Asks[Name]["answer"]> | Asks[Name]["answer"];
  } = {
    start: ({ spec, layerFolder }) => host.start(spec, layerFolder),
    stop: async ({ id, boot }) => ({ stopped: await host.stop(id, boot) }),
    save: async (ref, socket) => {
      const save = await host.beginSave(ref);
      const end = () => void save.end();
      socket.once("close", end);
      void save.ended.then(() => socket.off("close", end));
      if (socket.destroyed) end();
      try {
        await save.written;
        return { folder: save.folder };
      } catch (error) {
        await save.end();
        throw error;
      }
    },
    endSave: async (ref) => {
      await host.endSave(ref);
      return { ended: true };
    },
    watch: (_asks, socket) => {
      if (!watching.has(socket)) {
        watching.add(socket);
        adopted.abort();
        const stop = host.watch({
          started: (started) => writeJsonLine(socket, { started }),
          gone: (gone) => writeJsonLine(socket, { gone }),
        });
        socket.once("close", () => {
          stop();
          watching.delete(socket);
          if (watching.size === 0) countOrphan();
        });
        log("adopted");
      }
      return { maxDevices: host.maxDevices };
    },
    ping: () => ({ alive: true }),
    shutdown: () => {
      over.resolve("asked to end");
      return { ending: true };
    },
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    readJsonLines(socket, (value) => {
      if (!isRequest(value)) {
        socket.destroy();
        return;
      }
      const { number } = value;
      void (async () => {
        try {
          if (value.version !== CONTROL_VERSION)
            throw new HostError("BAD_REQUEST", `this host speaks version ${CONTROL_VERSION}`);
          if (!Object.hasOwn(answers, value.ask)) throw new HostError("BAD_REQUEST", `${value.ask} is no request`);
          const act = answers[value.ask] as (asks: Request, socket: Socket) => unknown;
          writeJsonLine(socket, { number, answer: await act(value, socket) });
        } catch (error) {
          const known =
            error instanceof HostError
              ? error
              : new HostError("FAILED", error instanceof Error ? error.message : String(error));
          writeJsonLine(socket, { number, error: { code: known.code, message: known.message } });
        }
      })();
    });
  });

  await listenOnce(server, path, clock);
  chmodSync(path, 0o600);
  countOrphan();
  return {
    over: over.promise,
    stop: () =>
      new Promise((resolve) => {
        adopted.abort();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroySoon();
        adopted.abort();
      }),
  };
}

function isRequest(value: unknown): value is Request {
  return (
    typeof value === "object" &&
    value !== null &&
    "number" in value &&
    Number.isSafeInteger(value.number) &&
    "ask" in value &&
    typeof value.ask === "string"
  );
}
