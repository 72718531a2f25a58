import { Box } from "@mui/material";
import {
  type DeliveryState as State,
  deliveryStates,
  TEST_EVENT,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEventNames,
} from "@terrarium/contract";
import type { TFunction } from "i18next";
import Eye from "lucide-react/icons/eye";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import { dateTime } from "../../components/dates.ts";
import { declareList } from "../../components/list/list.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import type { webhooks as words } from "../../en/webhooks.ts";
import { answerOf, DeliveryState } from "./DeliveryState.tsx";
import { deliveryPage } from "./webhooks.queries.ts";

/** What the log of a webhook needs besides its deliveries. */
interface DeliveryListContext {
  t: TFunction;
  webhook: string;
  isDisabled: boolean;
  view: (delivery: WebhookDelivery) => void;
  replay: (delivery: WebhookDelivery) => void;
}

const ANY = "any";
const types = [ANY, ...webhookEventNames, TEST_EVENT];
const timeOf = (time: string | null, t: TFunction) => (time === null ? t("common.none") : <RelativeTime time={time} />);

export const deliveryList = declareList<WebhookDelivery, DeliveryListContext>({
  key: "webhook-log",
  query: ({ search, page, page_size }, { webhook }, { state = ANY, type = ANY }) =>
    deliveryPage(webhook, {
      page,
      page_size,
      ...(search !== undefined && { search }),
      ...(state !== ANY && { state: state as State }),
      ...(type !== ANY && { type: type as WebhookEvent }),
    }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ type }) => type,
  columns: [
    {
      id: "type",
      flexWidth: 5,
      shown: "always",
      cell: ({ type }) => (
        <Box component="span" sx={{ typography: "mono", color: "text.primary" }}>
          {type}
        </Box>
      ),
    },
    { id: "state", flexWidth: 3, shown: "always", cell: ({ state }) => <DeliveryState state={state} /> },
    { id: "answer", flexWidth: 3, shown: "first", cell: (delivery, { t }) => answerOf(delivery, t) },
    { id: "attempts", flexWidth: 2, align: "right", shown: "first", cell: ({ attempts }) => attempts },
    {
      id: "next_at",
      flexWidth: 3,
      align: "right",
      shown: "first",
      cell: ({ state, next_at }, { t }) =>
        state === "waiting" && next_at === null ? t("webhooks.log.soon") : dateTime(next_at, t("common.none")),
    },
    { id: "at", flexWidth: 2, align: "right", shown: "first", cell: ({ at }, { t }) => timeOf(at, t) },
  ],
  ordering: "",
  pageSizes: [10, 25, 100],
  pageSize: 10,
  filters: [
    {
      id: "state",
      label: (t) => t("webhooks.log.stateLabel"),
      choices: ([ANY, ...deliveryStates] as const).map((value) => ({
        value,
        label: (t) => t(`webhooks.log.states.${value}`),
      })),
    },
    {
      id: "type",
      label: (t) => t("webhooks.log.types.label"),
      choices: types.map((value) => ({ value, label: (t) => (value === ANY ? t("webhooks.log.types.any") : value) })),
      isMenu: true,
    },
  ],
  card: (delivery, { t }) => ({
    title: delivery.type,
    caption: timeOf(delivery.at, t),
    mark: <DeliveryState state={delivery.state} />,
    facts: [
      <span key="answer">{answerOf(delivery, t)}</span>,
      <span key="attempts">{t("webhooks.log.attempts", { count: delivery.attempts })}</span>,
    ],
  }),
  open: (delivery, { view }) => view(delivery),
  actions: (delivery, { t, isDisabled, view, replay }) => [
    {
      id: "view",
      glyph: Eye,
      label: t("webhooks.log.view", delivery),
      short: t("webhooks.log.short.view"),
      isMain: true,
      run: () => view(delivery),
    },
    {
      id: "replay",
      glyph: RotateCcw,
      label: t("webhooks.log.replay", delivery),
      short: t("webhooks.log.short.replay"),
      ...(isDisabled && { reason: t("errors.webhookDisabled") }),
      run: () => replay(delivery),
    },
  ],
  words: (t) => ({
    label: t("webhooks.log.table"),
    search: t("webhooks.log.filter"),
    column: (id) => t(`webhooks.log.columns.${id as keyof typeof words.webhooks.log.columns}`),
    columnsLead: t("webhooks.log.columnsLead"),
    noMatch: () => ({ title: t("webhooks.log.noMatch.title"), help: t("webhooks.log.noMatch.help") }),
    failed: { title: t("errors.fetchDeliveries"), help: t("webhooks.delivery.unread") },
  }),
});
