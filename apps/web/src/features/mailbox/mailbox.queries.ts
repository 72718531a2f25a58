import { client } from "../../session/client.ts";

/** A mail arrives a second or two after what it is about. */
const EVERY_MS = 3_000;

/** The last mails; none of them is read by the list. */
export const mailList = {
  queryKey: ["mails"],
  queryFn: () => client.mailbox.list({ headers: {} }),
  refetchInterval: EVERY_MS,
};

/** A mail. It does not change. */
export const mail = (uuid: string) => ({
  queryKey: ["mails", uuid],
  queryFn: () => client.mailbox.get({ headers: {}, params: { uuid } }),
  staleTime: Number.POSITIVE_INFINITY,
});
