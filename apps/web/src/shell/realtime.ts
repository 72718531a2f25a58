import { io } from "socket.io-client";
import { applyChange, instanceKeys } from "../shared/instance-cache.ts";
import { newDevices } from "../shared/new-devices.ts";
import { organizationKey } from "../shared/organizations.queries.ts";
import { queryClient, session } from "../session/client.ts";
import { RealtimeLink } from "../session/sockets.ts";

/** Several devices often change at once; the counts they change are asked for once. */
const COUNT_DELAY_MS = 300;
let recount: ReturnType<typeof setTimeout> | undefined;

/** The one link of this page. Its events go into the query cache; whoever shows data renders from there. */
export const realtime = new RealtimeLink({
  connect: (options) => io(options),
  token: () => session.current?.token,
  onEvent: (_, change) => {
    if (applyChange(queryClient, change)) newDevices.forget(change.uuid);
    else newDevices.hear(change);
    clearTimeout(recount);
    recount = setTimeout(() => void queryClient.invalidateQueries({ queryKey: organizationKey }), COUNT_DELAY_MS);
  },
  onReturn: () => {
    for (const queryKey of [instanceKeys.lists, instanceKeys.singles, organizationKey])
      void queryClient.invalidateQueries({ queryKey });
  },
});

// What waits to be shown was told to whoever was signed in.
realtime.subscribe(() => {
  if (realtime.status === "off") newDevices.clear();
});
