import type { Channel, EventOf } from "@terrarium/contract";

/** An event on a channel for one recipient: the uuid of a user or an organization, or a name of many, depending on the channel. */
export type Emission = { [C in Channel]: { channel: C; recipient: string; data: EventOf<C>["data"] } }[Channel];

export type Subscriptions = Partial<Record<Channel, readonly string[]>>;

/** Forwards the changes of one noun to the sockets of those who may see them. */
export interface Topic<Listener, Db> {
  /** The PostgreSQL notification channel of the changes. */
  notification: string;
  /** The channels that a person receives, each with the recipients whose events these are. */
  subscriptions: (listener: Listener) => Subscriptions;
  /** The events for a notification's payload. */
  emissions: (payload: string) => Emission[];
  /** Events for everything that changed since a time, for after a gap. Some may be repetitions; clients take the higher revision. */
  changedSince: (db: Db, time: Date) => Promise<Emission[]>;
  /** Events for what began to run or ended since a time, for a person who caused that and only then subscribed. */
  settledSince: (db: Db, time: Date, listener: Listener) => Promise<Emission[]>;
}

export interface TopicDefinition<Item, Listener, Db> extends Pick<
  Topic<Listener, Db>,
  "notification" | "subscriptions"
> {
  parse: (payload: string) => Item;
  emit: (item: Item) => Emission[];
  changedSince: (db: Db, time: Date) => Promise<Item[]>;
  /** By default, nothing does. */
  settledSince?: (db: Db, time: Date, listener: Listener) => Promise<Item[]>;
}

/** Defines how a feature's changes become events. The `realtime` role emits them; `roles/realtime.ts` must list the topic. */
export function defineTopic<Item, Listener, Db>(topic: TopicDefinition<Item, Listener, Db>): Topic<Listener, Db> {
  const { notification, subscriptions, parse, emit, changedSince, settledSince = async () => [] } = topic;
  return {
    notification,
    subscriptions,
    emissions: (payload) => emit(parse(payload)),
    changedSince: async (db, time) => (await changedSince(db, time)).flatMap(emit),
    settledSince: async (db, time, listener) => {
      const subscribed = subscriptions(listener);
      const all = (await settledSince(db, time, listener)).flatMap(emit);
      return all.filter(({ channel, recipient }) => subscribed[channel]?.includes(recipient));
    },
  };
}
