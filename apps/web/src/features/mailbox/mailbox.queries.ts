import { AppError } from "@terrarium/contract";
import { client } from "../../session/client.ts";

/** A mail arrives a second or two after what it is about. */
const EVERY_MS = 3_000;

/** The last mails; none of them is read by the list. */
export const mailList = {
  queryKey: ["mails"],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.mailbox.list({ headers: {} }, { signal }),
  // A refusal stays what it is, such as that there is no mailbox.
  refetchInterval: ({ state: { error } }: { state: { error: Error | null } }) =>
    error instanceof AppError && error.status < 500 ? false : EVERY_MS,
};

/** A mail. It does not change. */
export const mail = (uuid: string) => ({
  queryKey: ["mails", uuid],
  queryFn: ({ signal }: { signal: AbortSignal }) => client.mailbox.get({ headers: {}, params: { uuid } }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
