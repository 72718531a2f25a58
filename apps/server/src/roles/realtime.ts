import { type Clock, every } from "@terrarium/clock";
import { type Channel, channelAliases, eventNames, socketPath, Subscribe } from "@terrarium/contract";
import type { Server } from "socket.io";
import { credentialRefusal } from "../features/audit/refused-requests.ts";
import type { Refusals } from "../features/audit/refusals.ts";
import type { Sessions } from "../features/sessions/sessions.ts";
import { isManager } from "../features/sessions/actor.ts";
import { findRoles } from "../features/sessions/credentials.ts";
import { actorOfSocket, type SocketActor } from "../features/sessions/socket-actor.ts";
import { watchCredentials } from "../features/sessions/watch-credentials.ts";
import { watchRoles } from "../features/sessions/watch-roles.ts";
import { catalogueTopic } from "../features/catalogue/catalogue.topic.ts";
import { groupsTopic } from "../features/groups/groups.topic.ts";
import { instanceTopic } from "../features/instances/instances.topic.ts";
import { liveSessionTopic } from "../features/live-sessions/live-sessions.topic.ts";
import { organizationTopic } from "../features/organizations/organization.topic.ts";
import { userTopic } from "../features/users/user.topic.ts";
import type { Database } from "../database/schema.ts";
import type { ClientAddress } from "../platform/http/client-address.ts";
import { SharedReads } from "../platform/http/shared-reads.ts";
import { listen } from "../platform/db/listen.ts";
import type { Logger } from "../platform/log.ts";
import type { Emission, Subscriptions, Topic } from "../platform/topic.ts";

/** The topics that are forwarded to sockets. */
const topics: readonly Topic<SocketActor, Database>[] = [
  instanceTopic,
  catalogueTopic,
  userTopic,
  groupsTopic,
  organizationTopic,
  liveSessionTopic,
];

/** The maximum number of sockets per user: enough for tabs, tools and tests. */
const MAX_SOCKETS_PER_USER = 100;
/** Clients that send more are disconnected. */
const MAX_MESSAGES_PER_SECOND = 20;
const EXPIRY_CHECK_MS = 30_000;
/** After a gap, changes from shortly before it are repeated, as their notifications may have been lost. */
const MARGIN_MS = 5_000;
/** Command-line clients start or stop a device, then subscribe and wait; what came online or ended within this time is sent to them again. */
const SETTLED_MS = 30_000;

export interface RealtimeDeps {
  io: Server;
  db: Database;
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  sessions: Sessions;
  refusals: Refusals;
  clientAddress: ClientAddress;
}

/** Forwards changes from the database to the sockets of those who may see them. Every process gets all notifications and serves its own sockets. */
export async function startRealtime(deps: RealtimeDeps): Promise<{ stop(): Promise<void> }> {
  const { io, db, databaseUrl, clock, log } = deps;
  const end = new AbortController();
  const signal = end.signal;
  admitSockets(deps);

  const changes = await Promise.all(topics.map((topic) => forwardChanges(topic, deps, signal)));
  const watch = { db, databaseUrl, clock, log, signal };
  const actors = () => [...io.sockets.sockets.values()].map(actorOn);
  const ends = await watchCredentials(watch, {
    credentials: () => actors().map(({ credential }) => credential),
    credentialEnded: (credential) => io.in(credentialRoom(credential)).disconnectSockets(true),
  });
  // One after the other, so that the newest role is the last to be read.
  let moved = Promise.resolve();
  const roleChanged = (user: string) => {
    moved = moved.then(() => moveSockets(deps, user));
  };
  const roles = await watchRoles(watch, { actors, roleChanged });
  const expiry = every(clock, EXPIRY_CHECK_MS, async () => disconnectExpired(io, clock), signal);
  return {
    async stop() {
      end.abort();
      await io.close();
      await Promise.all([...changes.map(({ stopped }) => stopped), ends.stopped, roles.stopped, expiry]);
      await moved;
    },
  };
}

/** Forwards the changes of a topic to the sockets of this process; after a gap, also those that were missed. */
async function forwardChanges(
  topic: Topic<SocketActor, Database>,
  { io, db, databaseUrl, clock, log }: RealtimeDeps,
  signal: AbortSignal,
): Promise<{ stopped: Promise<void> }> {
  const emit = ({ channel, recipient, data }: Emission) =>
    io.local.to(channelRoom(channel, recipient)).emit(eventNames[channel], { data });
  const read = () => ({ wallMs: clock.now(), monotonicMs: clock.monotonic() });
  let lastChange = read();
  const onChange = (payload: string) => {
    lastChange = read();
    topic.emissions(payload).forEach(emit);
  };
  /** In the timestamps of rows; the earlier time, if the system's clock was set during the gap. */
  const gapBegan = () => Math.min(lastChange.wallMs, clock.now() - (clock.monotonic() - lastChange.monotonicMs));
  const onReconnect = () =>
    void topic.changedSince(db, new Date(gapBegan() - MARGIN_MS)).then(
      (missed) => missed.forEach(emit),
      (error: unknown) => log.error({ err: error }, "missed changes could not be read"),
    );
  return listen(databaseUrl, topic.notification, onChange, { clock, signal, onReconnect });
}

/** The channels that a person receives, each with the recipients whose rooms the socket joins. */
const subscriptionsOf = (actor: SocketActor): Subscriptions =>
  Object.assign({}, ...topics.map((topic) => topic.subscriptions(actor)));

const actorOn = (socket: { data: unknown }) => (socket.data as { actor: SocketActor }).actor;
const credentialRoom = (credential: string) => `credential:${credential}`;
const channelRoom = (channel: string, recipient: string) => `${channel}:${recipient}`;
const channelRoomsOf = (actor: SocketActor) =>
  Object.entries(subscriptionsOf(actor)).flatMap(([channel, recipients]) =>
    recipients.map((recipient) => channelRoom(channel, recipient)),
  );
const userRoom = (user: string) => `user:${user}`;

function admitSockets(deps: RealtimeDeps): void {
  const { io, sessions, refusals, clientAddress, log } = deps;
  const settled = recentlySettled(deps);
  io.use((socket, next) => {
    const by = { kind: "nobody", address: clientAddress(socket.request) } as const;
    actorOfSocket(sessions, socket.handshake, by.address)
      .then(async ({ actor, refused }) => {
        if (refused) refusals.note(credentialRefusal(by, refused, { route: socketPath }));
        if (!actor) return next(new Error("NOT_AUTHENTICATED"));
        const open = io.sockets.adapter.rooms.get(userRoom(actor.uuid))?.size ?? 0;
        if (open >= MAX_SOCKETS_PER_USER) return next(new Error("TOO_MANY_REQUESTS"));
        socket.data = { actor };
        await socket.join([userRoom(actor.uuid), credentialRoom(actor.credential), ...channelRoomsOf(actor)]);
        next();
      })
      .catch((error: unknown) => {
        log.error({ err: error }, "a socket could not be admitted");
        next(new Error("SERVICE_UNAVAILABLE"));
      });
  });

  io.on("connection", (socket) => {
    let messages = 0;
    let second = 0;
    socket.use((_event, next) => {
      const now = Math.floor(performance.now() / 1000);
      messages = now === second ? messages + 1 : 1;
      second = now;
      if (messages > MAX_MESSAGES_PER_SECOND) socket.disconnect(true);
      else next();
    });
    // Sockets join their channels when they connect; the reply only says which of the requested ones those are.
    socket.on("subscribe", async (message: unknown, answer: unknown) => {
      const actor = actorOn(socket);
      const { data } = Subscribe.safeParse(message);
      const allowed = Object.keys(subscriptionsOf(actor));
      const tags = (data?.tags ?? []).map((tag): string => channelAliases.get(tag) ?? tag);
      const refused = tags.filter((tag) => !allowed.includes(tag as Channel));
      await settled(actor).then(
        (recent) =>
          recent
            .filter(({ channel }) => tags.includes(channel))
            .forEach(({ channel, data }) => socket.emit(eventNames[channel], { data })),
        (error: unknown) => log.error({ err: error }, "what came online or ended lately could not be read"),
      );
      if (typeof answer === "function") answer({ subscribed: tags.filter((tag) => !refused.includes(tag)), refused });
    });
    socket.on("error", (error) => log.debug({ err: error }, "socket error"));
  });
}

/** Reads what came online or ended within `SETTLED_MS`: for each person once at a time, as they may have a hundred sockets that subscribe again and again. */
function recentlySettled({ db, clock }: RealtimeDeps): (actor: SocketActor) => Promise<Emission[]> {
  const reads = new SharedReads<Emission[]>();
  const read = async (actor: SocketActor) => {
    const since = new Date(clock.now() - SETTLED_MS);
    return (await Promise.all(topics.map((topic) => topic.settledSince(db, since, actor)))).flat();
  };
  return (actor) => reads.read(JSON.stringify([actor.uuid, subscriptionsOf(actor)]), () => read(actor));
}

/**
 * Moves a user's sockets to the channels of their present role. They stay connected, as clients that have to connect again wait for
 * seconds, in which they miss everything. They are notified of the change, as its own notification may have come too early for them.
 */
async function moveSockets({ io, db, log }: RealtimeDeps, user: string): Promise<void> {
  const held = () => [...io.sockets.sockets.values()].filter((socket) => actorOn(socket).uuid === user);
  if (held().length === 0) return;
  const role = await findRoles(db, [user]).then(
    ([row]) => row,
    (error: unknown) => log.error({ err: error }, "the new role of somebody connected could not be read"),
  );
  for (const socket of held()) {
    // They connect again, as whoever they are then.
    if (!role) {
      socket.conn.close();
      continue;
    }
    const before = actorOn(socket);
    const actor = { ...before, organization: role.organization_uuid, isManager: isManager(role) };
    socket.data = { actor };
    const rooms = channelRoomsOf(actor);
    for (const room of channelRoomsOf(before)) if (!rooms.includes(room)) void socket.leave(room);
    void socket.join(rooms);
    for (const { channel, data } of userTopic.emissions(user)) socket.emit(eventNames[channel], { data });
  }
}

/** Disconnects sockets whose token has expired. The web app reconnects with its renewed token. */
function disconnectExpired(io: Server, clock: Clock): void {
  for (const socket of io.sockets.sockets.values()) {
    const { expiresAt } = actorOn(socket);
    if (expiresAt !== undefined && expiresAt <= clock.now()) socket.disconnect(true);
  }
}
