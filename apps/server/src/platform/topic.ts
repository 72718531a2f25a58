import type { Channel, EventOf } from "@terrarium/contract";

/** What is said on a channel, and whose room hears it. */
export type Emission = { [C in Channel]: { channel: C; whose: string; data: EventOf<C>["data"] } }[Channel];

/** Things of one kind whose changes reach the sockets of those who may hear of them. */
export interface Topic<Listener, Db> {
  /** The notification of the database that tells of a change. */
  notification: string;
  /** The channels a person may hear, and whose room they are in on each. */
  hears: (listener: Listener) => Partial<Record<Channel, string>>;
  /** What a notification's payload says to whom. */
  told: (payload: string) => Emission[];
  /** What there is to say of all that changed since: after a gap. Who heard it already keeps the higher revision. */
  since: (db: Db, time: Date) => Promise<Emission[]>;
  /** What there is to say to this person of what came to its end since: they may have asked for that and subscribed too late. */
  endedSince: (db: Db, time: Date, listener: Listener) => Promise<Emission[]>;
}

export interface TopicDefinition<Item, Listener, Db> extends Pick<Topic<Listener, Db>, "notification" | "hears"> {
  read: (payload: string) => Item;
  say: (item: Item) => Emission[];
  changedSince: (db: Db, time: Date) => Promise<Item[]>;
  endedSince: (db: Db, time: Date, listener: Listener) => Promise<Item[]>;
}

/** A feature says how its changes are told; the `realtime` role, which lists its topic, tells them. */
export function defineTopic<Item, Listener, Db>(topic: TopicDefinition<Item, Listener, Db>): Topic<Listener, Db> {
  const { notification, hears, read, say, changedSince, endedSince } = topic;
  return {
    notification,
    hears,
    told: (payload) => say(read(payload)),
    since: async (db, time) => (await changedSince(db, time)).flatMap(say),
    endedSince: async (db, time, listener) => {
      const heard: Record<string, string | undefined> = hears(listener);
      const said = (await endedSince(db, time, listener)).flatMap(say);
      return said.filter(({ channel, whose }) => heard[channel] === whose);
    },
  };
}
