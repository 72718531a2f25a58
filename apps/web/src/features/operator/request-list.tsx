import {
  type PlanRequest,
  type PlanRequestKind,
  planRequestKinds,
  type PlanRequestState,
  planRequestStates,
} from "@terrarium/contract";
import type { TFunction } from "i18next";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import Clock from "lucide-react/icons/clock";
import FileText from "lucide-react/icons/file-text";
import { declareList } from "../../components/list/list.ts";
import { RowName } from "../../components/list/RowName.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { StateChip } from "../../components/StateChip.tsx";
import type { operator as words } from "../../en/operator.ts";
import { requestPage } from "./operator.queries.ts";

interface RequestListContext {
  t: TFunction;
  read: (request: PlanRequest) => void;
}

const looks = {
  REQUESTED: { tone: "info", glyph: Clock },
  APPROVED: { tone: "success", glyph: CircleCheck },
  REJECTED: { tone: "gone", glyph: CircleSlash },
} as const;

/** The state of a request. */
export const RequestChip = ({ request: { state }, t }: { request: PlanRequest; t: TFunction }) => (
  <StateChip {...looks[state]} label={t(`operator.requests.states.${state}`)} />
);

const kindOf = ({ kind }: PlanRequest, t: TFunction) => t(`operator.requests.kinds.${kind}`);

export const requestList = declareList<PlanRequest, RequestListContext>({
  key: "operator-requests",
  query: ({ search, page, page_size }, _, { kind = "any", state = "any" }) =>
    requestPage({
      page,
      page_size,
      ...(search !== undefined && { search }),
      ...(kind !== "any" && { kind: kind as PlanRequestKind }),
      ...(state !== "any" && { state: state as PlanRequestState }),
    }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ organization }) => organization.name,
  columns: [
    {
      id: "organization",
      flexWidth: 5,
      shown: "always",
      cell: ({ organization }) => <RowName name={organization.name} />,
    },
    { id: "kind", flexWidth: 4, shown: "always", cell: (request, { t }) => kindOf(request, t) },
    { id: "asked_by", flexWidth: 5, shown: "first", cell: ({ asked_by }) => <span title={asked_by}>{asked_by}</span> },
    {
      id: "state",
      flexWidth: 3,
      shown: "always",
      cell: (request, { t }) => <RequestChip request={request} t={t} />,
    },
    {
      id: "requested_at",
      flexWidth: 3,
      align: "right",
      shown: "first",
      cell: ({ requested_at }) => <RelativeTime time={requested_at} />,
    },
  ],
  ordering: "-requested_at",
  pageSizes: [10, 25, 100],
  pageSize: 25,
  filters: [
    {
      id: "state",
      label: (t) => t("operator.requests.states.label"),
      choices: (["any", ...planRequestStates] as const).map((value) => ({
        value,
        label: (t) => t(`operator.requests.states.${value}`),
      })),
      isMenu: true,
    },
    {
      id: "kind",
      label: (t) => t("operator.requests.kinds.label"),
      choices: (["any", ...planRequestKinds] as const).map((value) => ({
        value,
        label: (t) => t(`operator.requests.kinds.${value}`),
      })),
      isMenu: true,
    },
  ],
  open: (request, { read }) => read(request),
  card: (request, { t }) => ({
    title: request.organization.name,
    caption: <RelativeTime time={request.requested_at} />,
    mark: <RequestChip request={request} t={t} />,
    facts: [<span key="kind">{kindOf(request, t)}</span>, <span key="by">{request.asked_by}</span>],
  }),
  actions: (request, { t, read }) => [
    {
      id: "read",
      glyph: FileText,
      label: t("operator.requests.read", request.organization),
      short: t("operator.requests.readIt"),
      isMain: true,
      run: () => read(request),
    },
  ],
  words: (t) => ({
    label: t("operator.requests.table"),
    search: t("operator.requests.filter"),
    column: (id) => t(`operator.requests.columns.${id as keyof typeof words.operator.requests.columns}`),
    columnsLead: t("operator.requests.columnsLead"),
    noMatch: ({ search }) => ({
      title: search ? t("operator.requests.noMatch.title", { search }) : t("operator.requests.noMatch.noneWith"),
      help: t("operator.requests.noMatch.help"),
    }),
    failed: { title: t("errors.operatorRequests"), help: t("operator.failed") },
  }),
});
