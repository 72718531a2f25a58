import { Box } from "@mui/material";
import { type Job, type JobState, jobStates } from "@terrarium/contract";
import type { TFunction } from "i18next";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import Clock from "lucide-react/icons/clock";
import LoaderCircle from "lucide-react/icons/loader-circle";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash-2";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { dateTime } from "../../components/dates.ts";
import type { Glyph } from "../../components/Icon.tsx";
import { createdColumn } from "../../components/list/created-column.tsx";
import { declareList } from "../../components/list/list.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { type ChipTone, StateChip } from "../../components/StateChip.tsx";
import type { operator as words } from "../../en/operator.ts";
import { jobPage } from "./operator.queries.ts";

interface JobListContext {
  t: TFunction;
  retry: (job: Job) => void;
  /** Asks first. */
  discard: (job: Job) => void;
}

const looks: Record<JobState, { tone: ChipTone; glyph: Glyph }> = {
  waiting: { tone: "ending", glyph: Clock },
  running: { tone: "info", glyph: LoaderCircle },
  failed: { tone: "error", glyph: TriangleAlert },
  discarded: { tone: "gone", glyph: CircleSlash },
  done: { tone: "success", glyph: CircleCheck },
};

/** Until what waits or runs has ended. */
const LOOK_MS = 3_000;

const states = ["any", ...jobStates] as const;
type StateFilter = (typeof states)[number];

const chip = ({ state }: Job, t: TFunction) => (
  <StateChip {...looks[state]} label={t(`operator.jobs.states.${state}`)} />
);

export const jobList = declareList<Job, JobListContext>({
  key: "operator-jobs",
  query: ({ search, ...ask }, _, { state = "any" }) =>
    jobPage({
      ...ask,
      ...(search !== undefined && { search }),
      ...(state !== "any" && { state: state as Exclude<StateFilter, "any"> }),
    }),
  idOf: ({ id }) => String(id),
  nameOf: ({ name }) => name,
  columns: [
    {
      id: "name",
      flexWidth: 4,
      shown: "always",
      sortBy: "name",
      cell: ({ id, name }, { t }) => (
        <Box component="span" title={t("operator.jobs.number", { id: String(id) })} sx={{ typography: "mono" }}>
          {name}
        </Box>
      ),
    },
    { id: "state", flexWidth: 3, shown: "always", cell: (job, { t }) => chip(job, t) },
    {
      id: "attempts",
      flexWidth: 2,
      align: "right",
      shown: "first",
      sortBy: "attempts",
      cell: ({ attempts }) => attempts,
    },
    createdColumn("when", { sortBy: "id" }),
    {
      id: "error",
      flexWidth: 6,
      shown: "first",
      cell: ({ last_error, due_at }, { t }) => {
        const due = due_at === null ? "" : t("operator.jobs.due", { time: dateTime(due_at, "") });
        const text = [last_error, due].filter(Boolean).join(" · ") || t("common.none");
        return <span title={text}>{text}</span>;
      },
    },
  ],
  ordering: "-id",
  looksAgainMs: (jobs) => jobs.some(({ state }) => state === "waiting" || state === "running") && LOOK_MS,
  pageSizes: [10, 25, 100],
  pageSize: 25,
  filters: [
    {
      id: "state",
      label: (t) => t("operator.jobs.state"),
      choices: states.map((value) => ({ value, label: (t) => t(`operator.jobs.states.${value}`) })),
      isMenu: true,
    },
  ],
  card: (job, { t }) => ({
    title: job.name,
    caption: <RelativeTime time={job.created_at} />,
    mark: chip(job, t),
    facts: [
      <span key="attempts">{t("operator.jobs.attempts", { count: job.attempts })}</span>,
      ...(job.last_error
        ? [
            <span key="error" title={job.last_error}>
              {job.last_error}
            </span>,
          ]
        : []),
    ],
  }),
  actions: (job, { t, retry, discard }) => [
    ...(job.state === "failed"
      ? [
          {
            id: "retry",
            glyph: RotateCcw,
            label: t("operator.jobs.retry", job),
            short: t("operator.jobs.retryIt"),
            isMain: true,
            run: () => retry(job),
          },
        ]
      : []),
    ...(job.state === "failed" || job.state === "waiting"
      ? [
          {
            id: "discard",
            glyph: Trash2,
            label: t("operator.jobs.discard", job),
            short: t("operator.jobs.discardIt"),
            run: () => discard(job),
          },
        ]
      : []),
  ],
  words: (t) => ({
    label: t("operator.jobs.table"),
    search: t("operator.jobs.filter"),
    column: (id) => t(`operator.jobs.columns.${id as keyof typeof words.operator.jobs.columns}`),
    columnsLead: t("operator.jobs.columnsLead"),
    noMatch: ({ search }) => ({
      title: search ? t("operator.jobs.noMatch.title", { search }) : t("operator.jobs.noMatch.none"),
      help: t("operator.jobs.noMatch.help"),
    }),
    failed: { title: t("errors.operatorJobs"), help: t("operator.failed") },
  }),
});
