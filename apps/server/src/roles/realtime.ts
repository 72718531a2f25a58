import type { Clock } from "@terrarium/clock";
import { type Channel, channelAliases, Subscribe } from "@terrarium/contract";
import type { Server } from "socket.io";
import type { Sessions } from "../features/sessions/sessions.ts";
import { actorOfSocket, type SocketActor } from "../features/sessions/socket-actor.ts";
import { watchCredentials } from "../features/sessions/watch-credentials.ts";
import { emitInstanceChange, emitInstancesSince, instanceRooms } from "../features/instances/instances.events.ts";
import { INSTANCE_CHANGED } from "../features/instances/move-instance.ts";
import type { Database } from "../database/schema.ts";
import { listen } from "../platform/db/listen.ts";
import type { Logger } from "../platform/log.ts";

/** What one person's sockets may be, in all: tabs, tools and tests, but not a flood. */
const MAX_SOCKETS_PER_USER = 100;
/** Messages a client may send in one second before it is cut. */
const MAX_MESSAGES_PER_SECOND = 20;
const EXPIRY_CHECK_MS = 30_000;

export interface RealtimeDeps {
  io: Server;
  db: Database;
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  sessions: Sessions;
}

/** Passes on what the database tells to the sockets of those who may hear it. Every process hears all, so each serves its own sockets. */
export async function startRealtime(deps: RealtimeDeps): Promise<{ stop(): Promise<void> }> {
  const { io, db, databaseUrl, clock, log, sessions } = deps;
  const end = new AbortController();
  const signal = end.signal;
  admitSockets(deps);

  let heardAt = new Date(clock.now());
  const onChange = (payload: string) => {
    heardAt = new Date(clock.now());
    emitInstanceChange(io, payload);
  };
  const onReconnect = () =>
    void emitInstancesSince(io, db, heardAt).catch((error: unknown) =>
      log.error({ err: error }, "changes were missed"),
    );
  const changes = await listen(databaseUrl, INSTANCE_CHANGED, onChange, { clock, signal, onReconnect });
  const ends = await watchCredentials(
    { db, databaseUrl, clock, log, signal },
    {
      credentials: () => [...io.sockets.sockets.values()].map((socket) => actorOn(socket).credential),
      credentialEnded(credential) {
        sessions.forget(credential);
        io.in(credentialRoom(credential)).disconnectSockets(true);
      },
    },
  );
  const expiry = cutExpired(io, clock, signal);
  return {
    async stop() {
      end.abort();
      await io.close();
      await Promise.all([changes.stopped, ends.stopped, expiry]);
    },
  };
}

const actorOn = (socket: { data: unknown }) => (socket.data as { actor: SocketActor }).actor;
const credentialRoom = (credential: string) => `credential:${credential}`;
const userRoom = (user: string) => `user:${user}`;

function admitSockets({ io, sessions, log }: RealtimeDeps): void {
  io.use((socket, next) => {
    actorOfSocket(sessions, socket.handshake)
      .then(async (actor) => {
        if (!actor) return next(new Error("NOT_AUTHENTICATED"));
        const open = io.sockets.adapter.rooms.get(userRoom(actor.uuid))?.size ?? 0;
        if (open >= MAX_SOCKETS_PER_USER) return next(new Error("TOO_MANY_REQUESTS"));
        socket.data = { actor };
        await socket.join([
          userRoom(actor.uuid),
          credentialRoom(actor.credential),
          ...Object.values(instanceRooms(actor)),
        ]);
        next();
      })
      .catch((error: unknown) => {
        log.error({ err: error }, "a socket could not be admitted");
        next(new Error("SERVICE_UNAVAILABLE"));
      });
  });

  io.on("connection", (socket) => {
    const actor = actorOn(socket);
    let messages = 0;
    let second = 0;
    socket.use((_event, next) => {
      const now = Math.floor(performance.now() / 1000);
      messages = now === second ? messages + 1 : 1;
      second = now;
      if (messages > MAX_MESSAGES_PER_SECOND) socket.disconnect(true);
      else next();
    });
    // A socket has its own channels from the start; the answer says which of those asked for are among them.
    socket.on("subscribe", (message: unknown, answer: unknown) => {
      const { data } = Subscribe.safeParse(message);
      const allowed = Object.keys(instanceRooms(actor));
      const tags = (data?.tags ?? []).map((tag): string => channelAliases.get(tag) ?? tag);
      const refused = tags.filter((tag) => !allowed.includes(tag as Channel));
      if (typeof answer === "function") answer({ subscribed: tags.filter((tag) => !refused.includes(tag)), refused });
    });
    socket.on("error", (error) => log.debug({ err: error }, "a socket broke"));
  });
}

/** A socket lives as long as the token it came with; the web app comes again with its renewed one. */
async function cutExpired(io: Server, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(EXPIRY_CHECK_MS, signal).catch(() => undefined);
    for (const socket of io.sockets.sockets.values()) {
      const { expiresAt } = actorOn(socket);
      if (expiresAt !== undefined && expiresAt <= clock.now()) socket.disconnect(true);
    }
  }
}
