import { Box } from "@mui/material";
import { launchpadPageSizes, limits, type LiveSession } from "@terrarium/contract";
import type { TFunction } from "i18next";
import ExternalLink from "lucide-react/icons/external-link";
import { declareList } from "../../components/list/list.ts";
import { RowName } from "../../components/list/RowName.tsx";
import { nameOf, PersonMark } from "../../components/PersonMark.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import type { liveSessions as words } from "../../en/live-sessions.ts";
import type { Me } from "../../session/user.ts";
import { liveSessionAddress } from "../../shared/live-sessions.ts";
import { liveSessionPage } from "./live-sessions.queries.ts";

/** What the list of live sessions needs besides the sessions. */
interface LiveSessionContext {
  t: TFunction;
  me: Me;
  go: (address: string) => void;
}

const clipped = { overflow: "hidden", textOverflow: "ellipsis" };

/** The owner has the whole device. */
const addressOf = ({ uuid, owner, instance }: LiveSession, { me }: LiveSessionContext): string =>
  owner.genyid === me.uuid ? `/instance/${instance.uuid}` : liveSessionAddress(uuid);

const ownerOf = ({ owner }: LiveSession, { t, me }: LiveSessionContext): string =>
  owner.genyid === me.uuid ? t("common.you") : nameOf(owner);

/** The owner is one of them. */
export const membersOf = ({ participants }: LiveSession, t: TFunction): string =>
  t("liveSessions.count", { count: participants.length + 1, max: limits.liveSessionMembers });

/** Who takes part, the owner first: their places stay as others come. */
export const peopleOf = ({ owner, participants }: LiveSession): { uuid: string; name: string }[] =>
  [owner, ...participants].map((person) => ({ uuid: person.genyid, name: nameOf(person) }));

export const liveSessionList = declareList<LiveSession, LiveSessionContext>({
  key: "live-sessions",
  query: ({ search, ...ask }) => liveSessionPage({ ...ask, ...(search !== undefined && { search }) }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ instance }) => instance.name,
  columns: [
    {
      id: "name",
      flexWidth: 8,
      shown: "always",
      sortBy: "name",
      cell: ({ instance: { name } }) => <RowName name={name} />,
    },
    {
      id: "owner",
      flexWidth: 6,
      shown: "first",
      sortBy: "owner",
      cell: (session, context) => (
        <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 2 }} title={session.owner.email}>
          <PersonMark person={session.owner} />
          <Box component="span" sx={clipped}>
            {ownerOf(session, context)}
          </Box>
        </Box>
      ),
    },
    {
      id: "created",
      flexWidth: 2,
      shown: "first",
      sortBy: "created_at",
      isNewestFirst: true,
      cell: ({ created_at }) => <RelativeTime time={created_at} />,
    },
    {
      id: "participants",
      flexWidth: 3,
      shown: "first",
      align: "right",
      sortBy: "participants",
      cell: (session, { t }) => membersOf(session, t),
    },
  ],
  actionsWidth: 1,
  ordering: "-created_at",
  pageSizes: launchpadPageSizes,
  pageSize: 10,
  card: (session, context) => ({
    lead: <PersonMark person={session.owner} size={28} />,
    title: session.instance.name,
    caption: ownerOf(session, context),
    facts: [
      <span key="members">{membersOf(session, context.t)}</span>,
      <RelativeTime key="time" time={session.created_at} />,
    ],
  }),
  actions: (session, context) => [
    {
      id: "display",
      glyph: ExternalLink,
      label: context.t("liveSessions.display", { name: session.instance.name }),
      short: context.t("liveSessions.displayShort"),
      isMain: true,
      href: addressOf(session, context),
      target: "_blank",
    },
  ],
  open: (session, context) => context.go(addressOf(session, context)),
  words: (t) => ({
    label: t("liveSessions.table"),
    search: t("liveSessions.filter"),
    column: (id) => t(`liveSessions.columns.${id as keyof typeof words.liveSessions.columns}`),
    columnsLead: t("liveSessions.columnsLead"),
    noMatch: ({ search }) => ({
      title: t("liveSessions.noMatch.title", { search }),
      help: t("liveSessions.noMatch.help"),
    }),
    failed: { title: t("fetchLiveSessions"), help: t("liveSessions.failed") },
  }),
});
