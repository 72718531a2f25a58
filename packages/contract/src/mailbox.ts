import { z } from "zod";
import { ByUuid, Time, Uuid } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

export const StoredMail = z.object({ uuid: Uuid, to: z.string(), subject: z.string(), created_at: Time });
export type StoredMail = z.infer<typeof StoredMail>;

/** Whether a request comes from a browser of the same machine, or through a proxy, is seen in these. */
const Way = z.object({
  host: z.string().default(""),
  forwarded: z.string().optional(),
  "x-forwarded-for": z.string().optional(),
});

export const mailboxTag = tag("The service", "Mailbox", "The mails of a demonstration.");

/** A demonstration sends no mails; whoever tries it reads them here. Elsewhere these routes do not exist. */
export const mailbox = routes({
  list: {
    method: "GET",
    path: "/v1/mailbox",
    summary: "The last mails that a demonstration would have sent. Only on its own machine",
    access: "public",
    ownPagesOnly: true,
    headers: Way,
    reply: z.object({ mails: z.array(StoredMail) }),
    fails: ["ROUTE_NOT_FOUND"],
  },
  get: {
    method: "GET",
    path: "/v1/mailbox/:uuid",
    summary: "One of them",
    access: "public",
    ownPagesOnly: true,
    headers: Way,
    params: ByUuid,
    reply: StoredMail.extend({ text: z.string(), html: z.string() }),
    fails: ["ROUTE_NOT_FOUND", "MAIL_NOT_FOUND"],
  },
});
