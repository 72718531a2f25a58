import { Box } from "@mui/material";
import { limits, type Webhook } from "@terrarium/contract";
import type { TFunction } from "i18next";
import PencilLine from "lucide-react/icons/pencil-line";
import ScrollText from "lucide-react/icons/scroll-text";
import Trash2 from "lucide-react/icons/trash-2";
import { createdColumn } from "../../components/list/created-column.tsx";
import { declareList } from "../../components/list/list.ts";
import { pageOfAll } from "../../components/list/page-of-all.ts";
import type { webhooks as words } from "../../en/webhooks.ts";
import { webhookName } from "./webhook-name.ts";
import { WebhookHealth } from "./WebhookHealth.tsx";
import { webhooks } from "./webhooks.queries.ts";

const glyphs = { open: ScrollText, edit: PencilLine, delete: Trash2 } as const;
export type WebhookAct = keyof typeof glyphs;
const acts = Object.keys(glyphs) as WebhookAct[];

/** What the list of webhooks needs besides them. */
interface WebhookListContext {
  t: TFunction;
  act: (act: WebhookAct, webhook: Webhook) => void;
}

const clipped = { overflow: "hidden", textOverflow: "ellipsis", minWidth: 0 };

export const webhookList = declareList<Webhook, WebhookListContext>({
  key: "webhooks",
  query: (ask) => ({
    ...webhooks,
    select: (all: Webhook[]) => pageOfAll(all, ask, ({ url, description }) => `${url} ${description}`),
  }),
  idOf: ({ uuid }) => uuid,
  nameOf: webhookName,
  columns: [
    {
      id: "url",
      flexWidth: 7,
      shown: "always",
      sortBy: "url",
      cell: ({ url, description }) => (
        <Box component="span" title={url} sx={clipped}>
          <Box component="span" sx={{ fontWeight: 550, color: "text.primary" }}>
            {description || url}
          </Box>
          {description && ` ${url}`}
        </Box>
      ),
    },
    { id: "health", flexWidth: 3, shown: "always", cell: ({ health }) => <WebhookHealth health={health} /> },
    {
      id: "events",
      flexWidth: 2,
      shown: "first",
      cell: ({ events }, { t }) => (
        <span title={events.join(", ")}>{t("webhooks.events", { count: events.length })}</span>
      ),
    },
    { id: "waiting", flexWidth: 2, align: "right", shown: "first", cell: ({ waiting }) => waiting },
    { id: "failed", flexWidth: 2, align: "right", shown: "first", cell: ({ failed }) => failed },
    createdColumn("created_at", { flexWidth: 2 }),
  ],
  ordering: "created_at",
  pageSizes: [limits.webhooks],
  pageSize: limits.webhooks,
  card: (webhook, { t }) => ({
    title: webhookName(webhook),
    caption: webhook.url,
    mark: <WebhookHealth health={webhook.health} />,
    facts: [
      <span key="events">{t("webhooks.events", { count: webhook.events.length })}</span>,
      ...(["waiting", "failed"] as const)
        .filter((state) => webhook[state] > 0)
        .map((state) => <span key={state}>{t(`webhooks.${state}`, { count: webhook[state] })}</span>),
    ],
  }),
  open: (webhook, { act }) => act("open", webhook),
  actions: (webhook, { t, act }) =>
    acts.map((id) => ({
      id,
      glyph: glyphs[id],
      label: t(`webhooks.actions.${id}`, { name: webhookName(webhook) }),
      short: t(`webhooks.menu.${id}`),
      isMain: id === "open",
      run: () => act(id, webhook),
    })),
  words: (t) => ({
    label: t("webhooks.table"),
    search: t("webhooks.filter"),
    column: (id) => t(`webhooks.columns.${id as keyof typeof words.webhooks.columns}`),
    columnsLead: t("webhooks.columnsLead"),
    noMatch: ({ search }) => ({ title: t("webhooks.noMatch.title", { search }), help: t("webhooks.noMatch.help") }),
    failed: { title: t("errors.fetchWebhooks"), help: t("webhooks.unread") },
  }),
});
