import type { mailbox } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import type { Actor } from "../sessions/actor.ts";
import { getMail, listMails, type MailboxDeps } from "./mailbox.ts";

export const mailboxRoutes = (deps: MailboxDeps): Handlers<typeof mailbox, Actor> => ({
  list: ({ headers, ip }) => listMails(deps, { ...headers, ip }),
  get: ({ headers, ip, params }) => getMail(deps, { ...headers, ip }, params.uuid),
});
