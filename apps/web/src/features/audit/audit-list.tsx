import { Box } from "@mui/material";
import type { AuditAction, AuditActor, AuditEntry, AuditSubject } from "@terrarium/contract";
import type { TFunction } from "i18next";
import ShieldAlert from "lucide-react/icons/shield-alert";
import { dateTime } from "../../components/dates.ts";
import { declareList } from "../../components/list/list.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { StateChip } from "../../components/StateChip.tsx";
import { Tag } from "../../components/Tag.tsx";
import type { audit as words } from "../../en/audit.ts";
import { actionKinds, auditPage } from "./audit.queries.ts";
import { AuditDetails } from "./AuditDetails.tsx";
import { isDay } from "../../components/days.ts";
import { DayFilter, SubjectFilter } from "./filters.tsx";

interface AuditListContext {
  t: TFunction;
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
const outcomes = ["any", "done", "refused"] as const;
const clipped = { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" } as const;
const SHOWN_CHARACTERS = 8;

/** What was done, in words. */
function sayAction({ action, outcome }: AuditEntry, t: TFunction): string {
  if (outcome === "refused" && action === "session.open") return t("audit.refusedTo.session.open");
  return t(`audit.did.${action as AuditAction}`);
}

/** Who did it: an address, or what they are. */
const sayActor = ({ actor }: AuditEntry, t: TFunction): string =>
  actor.email ?? t(`audit.actors.${actor.kind as AuditActor}`);

/** To whom or what: an address, what it is called, or what kind of thing it is. */
function saySubject({ subject, details }: AuditEntry, t: TFunction): string {
  if (!subject) return "–";
  if (subject.email !== null) return subject.email;
  const name = [details["name"], details["description"]].find((each) => typeof each === "string" && each !== "");
  const kind = t(`audit.subjects.${subject.kind as AuditSubject}`);
  return `${kind} ${name ?? subject.uuid.slice(0, SHOWN_CHARACTERS)}`;
}

const long = (text: string) => <span title={text}>{text}</span>;
const what = (entry: AuditEntry, t: TFunction) => (
  <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 2, color: "text.primary", fontWeight: 550 }}>
    <Box component="span" title={sayAction(entry, t)} sx={clipped}>
      {sayAction(entry, t)}
    </Box>
    {entry.outcome === "refused" && refused(t)}
  </Box>
);
const refused = (t: TFunction) => <StateChip tone="error" glyph={ShieldAlert} label={t("audit.wasRefused")} />;

export const auditList = declareList<AuditEntry, AuditListContext>({
  key: "audit",
  query: (ask, _, filters) => auditPage(ask, filters),
  idOf: ({ id }) => String(id),
  nameOf: ({ action, at }) => `${action}, ${dateTime(at, "")}`,
  hasKeyedPages: true,
  columns: [
    { id: "what", flexWidth: 6, shown: "always", cell: (entry, { t }) => what(entry, t) },
    {
      id: "who",
      flexWidth: 4,
      shown: "always",
      cell: (entry, { t }) => (
        <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 2 }}>
          <Box component="span" title={sayActor(entry, t)} sx={clipped}>
            {sayActor(entry, t)}
          </Box>
          {entry.actor.kind === "token" && <Tag>{t("audit.byToken")}</Tag>}
        </Box>
      ),
    },
    { id: "whom", flexWidth: 4, shown: "first", cell: (entry, { t }) => long(saySubject(entry, t)) },
    { id: "from", flexWidth: 2, shown: "first", cell: ({ address }) => long(address ?? "–") },
    { id: "when", flexWidth: 2, shown: "always", align: "right", cell: ({ at }) => <RelativeTime isStop time={at} /> },
  ],
  ordering: "-id",
  pageSizes: [10, 25, 50],
  pageSize: 25,
  filters: [
    {
      id: "kind",
      label: (t) => t("audit.kinds.label"),
      choices: [
        { value: "any", label: (t) => t("audit.kinds.any") },
        ...actionKinds.map((kind) => ({ value: kind as string, label: (t: TFunction) => t(`audit.kinds.${kind}`) })),
      ],
      isMenu: true,
    },
    {
      id: "outcome",
      label: (t) => t("audit.outcomes.label"),
      choices: outcomes.map((value) => ({ value, label: (t) => t(`audit.outcomes.${value}`) })),
      isMenu: true,
    },
    { id: "since", label: (t) => t("audit.since"), choices: [], free: { accepts: isDay, Control: DayFilter } },
    { id: "until", label: (t) => t("audit.until"), choices: [], free: { accepts: isDay, Control: DayFilter } },
    {
      id: "subject",
      label: (t) => t("audit.subject.all"),
      choices: [],
      free: { accepts: isUuid, Control: SubjectFilter },
    },
  ],
  card: (entry, { t }) => ({
    title: sayAction(entry, t),
    caption: sayActor(entry, t),
    mark: entry.outcome === "refused" && refused(t),
    facts: [
      <RelativeTime key="when" isStop time={entry.at} />,
      ...(entry.subject ? [<span key="whom">{saySubject(entry, t)}</span>] : []),
    ],
  }),
  details: (entry, { t }) => <AuditDetails entry={entry} t={t} />,
  words: (t) => ({
    label: t("audit.table"),
    search: t("audit.filter"),
    column: (id) => t(`audit.columns.${id as keyof typeof words.audit.columns}`),
    columnsLead: t("audit.columnsLead"),
    noMatch: ({ before }) =>
      before === ""
        ? { title: t("audit.noMatch.title"), help: t("audit.noMatch.help") }
        : { title: t("audit.noMatch.older"), help: t("audit.noMatch.olderHelp") },
    failed: { title: t("errors.fetchAudit"), help: t("audit.failed") },
  }),
});
