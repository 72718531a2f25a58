import { type Clock, every } from "@terrarium/clock";
import { type Channel, channelAliases, Subscribe } from "@terrarium/contract";
import type { Server } from "socket.io";
import type { Sessions } from "../features/sessions/sessions.ts";
import { actorOfSocket, type SocketActor } from "../features/sessions/socket-actor.ts";
import { watchCredentials } from "../features/sessions/watch-credentials.ts";
import { instanceTopic } from "../features/instances/instances.topic.ts";
import type { Database } from "../database/schema.ts";
import { listen } from "../platform/db/listen.ts";
import type { Logger } from "../platform/log.ts";
import type { Emission, Topic } from "../platform/topic.ts";

/** Everything that sockets hear of. */
const topics: readonly Topic<SocketActor, Database>[] = [instanceTopic];

/** What one person's sockets may be, in all: tabs, tools and tests, but not a flood. */
const MAX_SOCKETS_PER_USER = 100;
/** Messages a client may send in one second before it is cut. */
const MAX_MESSAGES_PER_SECOND = 20;
const EXPIRY_CHECK_MS = 30_000;
/** After a gap, what changed shortly before it is told again: a notification may have been on its way. */
const MARGIN_MS = 5_000;
/** Command-line clients stop a device first, then subscribe and wait for its end: what ended so lately is said to them again. */
const ENDINGS_MS = 30_000;

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
  const { io, db, databaseUrl, clock, log } = deps;
  const end = new AbortController();
  const signal = end.signal;
  admitSockets(deps);

  const changes = await Promise.all(topics.map((topic) => passOn(topic, deps, signal)));
  const ends = await watchCredentials(
    { db, databaseUrl, clock, log, signal },
    {
      credentials: () => [...io.sockets.sockets.values()].map((socket) => actorOn(socket).credential),
      credentialEnded: (credential) => void io.in(credentialRoom(credential)).disconnectSockets(true),
    },
  );
  const expiry = every(clock, EXPIRY_CHECK_MS, async () => cutExpired(io, clock), signal);
  return {
    async stop() {
      end.abort();
      await io.close();
      await Promise.all([...changes.map(({ stopped }) => stopped), ends.stopped, expiry]);
    },
  };
}

/** Tells the sockets of this process what the database tells, and after a gap what changed since it last did. */
async function passOn(
  topic: Topic<SocketActor, Database>,
  { io, db, databaseUrl, clock, log }: RealtimeDeps,
  signal: AbortSignal,
): Promise<{ stopped: Promise<void> }> {
  const emit = ({ channel, whose, data }: Emission) => io.local.to(channelRoom(channel, whose)).emit(channel, { data });
  let heardAt = clock.now();
  const onChange = (payload: string) => {
    heardAt = clock.now();
    topic.told(payload).forEach(emit);
  };
  const onReconnect = () =>
    void topic.since(db, new Date(heardAt - MARGIN_MS)).then(
      (missed) => missed.forEach(emit),
      (error: unknown) => log.error({ err: error }, "changes were missed"),
    );
  return listen(databaseUrl, topic.notification, onChange, { clock, signal, onReconnect });
}

/** Whose room a person is in on each channel they may hear. */
const heardBy = (actor: SocketActor): Partial<Record<Channel, string>> =>
  Object.assign({}, ...topics.map((topic) => topic.hears(actor)));

const actorOn = (socket: { data: unknown }) => (socket.data as { actor: SocketActor }).actor;
const credentialRoom = (credential: string) => `credential:${credential}`;
const channelRoom = (channel: string, whose: string) => `${channel}:${whose}`;
const userRoom = (user: string) => `user:${user}`;

function admitSockets({ io, db, clock, sessions, log }: RealtimeDeps): void {
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
          ...Object.entries(heardBy(actor)).map(([channel, whose]) => channelRoom(channel, whose)),
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
    socket.on("subscribe", async (message: unknown, answer: unknown) => {
      const { data } = Subscribe.safeParse(message);
      const allowed = Object.keys(heardBy(actor));
      const tags = (data?.tags ?? []).map((tag): string => channelAliases.get(tag) ?? tag);
      const refused = tags.filter((tag) => !allowed.includes(tag as Channel));
      for (const topic of topics)
        await topic.endedSince(db, new Date(clock.now() - ENDINGS_MS), actor).then(
          (ended) =>
            ended
              .filter(({ channel }) => tags.includes(channel))
              .forEach(({ channel, data }) => socket.emit(channel, { data })),
          (error: unknown) => log.error({ err: error }, "recent endings could not be told"),
        );
      if (typeof answer === "function") answer({ subscribed: tags.filter((tag) => !refused.includes(tag)), refused });
    });
    socket.on("error", (error) => log.debug({ err: error }, "a socket broke"));
  });
}

/** A socket lives as long as the token it came with; the web app comes again with its renewed one. */
function cutExpired(io: Server, clock: Clock): void {
  for (const socket of io.sockets.sockets.values()) {
    const { expiresAt } = actorOn(socket);
    if (expiresAt !== undefined && expiresAt <= clock.now()) socket.disconnect(true);
  }
}
