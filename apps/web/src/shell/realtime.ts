import type { Channel, EventOf } from "@terrarium/contract";
import type { QueryKey } from "@tanstack/react-query";
import { io } from "socket.io-client";
import { queryClient, refreshUser, session } from "../session/client.ts";
import { RealtimeLink } from "../session/sockets.ts";
import { catalogueTopic } from "../shared/catalogue/catalogue-topic.ts";
import { instanceTopic } from "../shared/instance-topic.ts";
import type { LiveTopic } from "../shared/live-topic.ts";
import { groupsTopic } from "./groups-topic.ts";
import { liveSessionTopic } from "./live-session-topic.ts";
import { organizationTopic } from "./organization-topic.ts";
import { userTopic } from "./user-topic.ts";
import { askSoon } from "./ask-soon.ts";

/** What is done with each channel of the contract. */
const topics: { readonly [C in Channel]: LiveTopic<EventOf<C>["data"]> } = {
  instances: instanceTopic,
  "manager-instances": instanceTopic,
  "recipes-updates": catalogueTopic,
  "os-images-updates": catalogueTopic,
  "user-updates": userTopic,
  "groups-updates": groupsTopic,
  "organization-updates": organizationTopic,
  "live-sessions-updates": liveSessionTopic,
};
const allTopics = [...new Set(Object.values(topics))];

/** Resolves once there are answers. */
const askAgain = (keys: Iterable<QueryKey>): Promise<unknown> =>
  Promise.all([...keys].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

const recountSoon = askSoon(askAgain);

/** The one link of this page. Its events go into the query cache; whoever shows data renders from there. */
export const realtime = new RealtimeLink({
  connect: (options) => io(options),
  token: () => {
    session.sync();
    return session.current?.token;
  },
  onEnded: refreshUser,
  onEvent: (channel, data) => {
    topics[channel].apply(queryClient, data);
    recountSoon(topics[channel].recount);
  },
  onLive: (isAgain) => {
    if (isAgain) void refreshUser();
    void askAgain(new Set(allTopics.flatMap(({ refetch }) => refetch)));
  },
});

realtime.subscribe(() => {
  if (realtime.status === "off") for (const topic of allTopics) topic.forget();
});
