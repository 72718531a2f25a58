import type { invoices } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import {
  getInvoice,
  invoiceFile,
  invoiceLines,
  type InvoiceDeps,
  invoiceUrl,
  listInvoices,
  payInvoice,
} from "./invoices.ts";

export const invoiceRoutes = (deps: InvoiceDeps): Handlers<typeof invoices, Actor> => ({
  list: async ({ actor, query, url }) => pageOf(await listInvoices(deps, actor.organization, query), query, url),
  get: ({ actor, params }) => getInvoice(deps, actor.organization, params.uuid),
  lines: ({ actor, params }) => invoiceLines(deps, actor.organization, params.uuid),
  url: ({ actor, params, url }) => invoiceUrl(deps, actor.organization, params.uuid, url),
  file: ({ params }) => invoiceFile(deps, params.key),
  pay: ({ params, body, ...call }) => payInvoice(deps, call.actor.organization, { ...params, ...body }, byCaller(call)),
});
