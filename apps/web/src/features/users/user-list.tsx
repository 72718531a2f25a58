import { Box } from "@mui/material";
import type { ListedUser, User } from "@terrarium/contract";
import type { TFunction } from "i18next";
import History from "lucide-react/icons/history";
import Mail from "lucide-react/icons/mail";
import MailX from "lucide-react/icons/mail-x";
import PencilLine from "lucide-react/icons/pencil-line";
import UserCheck from "lucide-react/icons/user-check";
import UserCog from "lucide-react/icons/user-cog";
import UserRound from "lucide-react/icons/user-round";
import UserX from "lucide-react/icons/user-x";
import { declareList } from "../../components/list/list.ts";
import { nameOf, PersonMark } from "../../components/PersonMark.tsx";
import { Tag } from "../../components/Tag.tsx";
import type { users as words } from "../../en/users.ts";
import { roleOf } from "../../session/session.ts";
import type { Me } from "../../session/user.ts";
import { actionsOf, hasSwitch, type UserAction } from "./user-actions.ts";
import { UserStatus } from "./UserStatus.tsx";
import { userPage } from "./users.queries.ts";

/** What the list of users needs besides the users. */
interface UserListContext {
  t: TFunction;
  me: Me;
  /** What rows are to become while that is asked for, by uuid. */
  busy: ReadonlyMap<string, Partial<User>>;
  /** Lets people in or denies them access. */
  setStatus: (users: readonly ListedUser[], isEnabled: boolean) => void;
  resend: (users: readonly ListedUser[]) => void;
  act: (action: UserAction, user: ListedUser) => void;
}

const glyphs = {
  edit: PencilLine,
  setUser: UserRound,
  setManager: UserCog,
  resend: Mail,
  cancel: MailX,
  audit: History,
} as const;
const statuses = ["any", "enabled", "disabled", "pending"] as const;
type StatusFilter = (typeof statuses)[number];
const statusWord = (status: StatusFilter, t: TFunction) =>
  t(status === "any" ? "users.withStatus.any" : `users.statuses.${status}`);

const clipped = { overflow: "hidden", textOverflow: "ellipsis" };
/** As long as people make it: it ends in dots, and the whole of it is the tooltip. */
const long = (text: string) => <span title={text}>{text || "–"}</span>;
const groupsOf = ({ groups }: User): string => groups.map(({ name }) => name).join(", ");

const roleCell = (user: ListedUser, { t, busy }: UserListContext) => {
  const role = roleOf({ ...user, ...busy.get(user.uuid) });
  return t(`common.roles.${role}`);
};

const statusCell = (user: ListedUser, { me, busy, setStatus }: UserListContext) => (
  <UserStatus user={user} me={me} busy={busy.get(user.uuid)} onChange={(isEnabled) => setStatus([user], isEnabled)} />
);

interface BulkWords {
  enable: string;
  disable: string;
  resend: string;
}

export const userList = declareList<ListedUser, UserListContext>({
  key: "users",
  query: ({ search, ...ask }, _, { status = "any" }) =>
    userPage({
      ...ask,
      ...(search !== undefined && { search }),
      ...(status !== "any" && { status: status as Exclude<StatusFilter, "any"> }),
    }),
  idOf: ({ uuid }) => uuid,
  nameOf,
  columns: [
    {
      id: "name",
      flexWidth: 5,
      shown: "always",
      sortBy: "first_name",
      cell: (user, { t, me }) => (
        <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 3, fontWeight: 550 }}>
          <PersonMark person={user} size={28} />
          <Box component="span" title={nameOf(user)} sx={{ ...clipped, color: "text.primary" }}>
            {nameOf(user)}
          </Box>
          {user.uuid === me.uuid && <Tag>{t("common.you")}</Tag>}
        </Box>
      ),
    },
    { id: "email", flexWidth: 5, shown: "always", sortBy: "email", cell: ({ email }) => long(email) },
    { id: "groups", flexWidth: 3, shown: "first", cell: (user) => long(groupsOf(user)) },
    {
      id: "role",
      flexWidth: 2,
      shown: "first",
      cell: roleCell,
    },
    { id: "status", flexWidth: 3, shown: "always", cell: statusCell },
  ],
  ordering: "created_at,email",
  pageSizes: [5, 10, 25],
  pageSize: 10,
  filters: [
    {
      id: "status",
      label: (t) => t("users.withStatus.label"),
      choices: statuses.map((value) => ({ value, label: (t) => statusWord(value, t) })),
      isMenu: true,
    },
  ],
  card: (user, context) => ({
    lead: <PersonMark person={user} size={28} />,
    title: nameOf(user),
    caption: user.email,
    mark: statusCell(user, context),
    facts: [
      <span key="role">{roleCell(user, context)}</span>,
      ...(user.groups.length > 0 ? [<span key="groups">{groupsOf(user)}</span>] : []),
    ],
  }),
  actions: (user, { t, me, busy, act }) =>
    busy.has(user.uuid)
      ? []
      : actionsOf(user, me).map((action) => ({
          id: action,
          glyph: glyphs[action],
          label: t(`users.actions.${action}`, { name: nameOf(user) }),
          short: t(`users.menu.${action}`),
          isMain: action === "edit" || action === "resend",
          run: () => act(action, user),
        })),
  bulk: (users, { t, me, setStatus, resend }) => {
    const others = users.filter((user) => hasSwitch(user, me));
    const denied = others.filter((user) => !user.is_enabled);
    const allowed = others.filter((user) => user.is_enabled);
    const pending = users.filter((user) => actionsOf(user, me).includes("resend"));
    return [
      { what: "enable", glyph: UserCheck, on: denied, run: () => setStatus(denied, true) },
      { what: "disable", glyph: UserX, on: allowed, run: () => setStatus(allowed, false) },
      { what: "resend", glyph: Mail, on: pending, run: () => resend(pending) },
    ].flatMap(({ what, glyph, on, run }) =>
      on.length === 0 ? [] : [{ glyph, label: t(`users.bulk.${what as keyof BulkWords}`, { count: on.length }), run }],
    );
  },
  words: (t) => ({
    label: t("users.table"),
    search: t("users.filter"),
    column: (id) => t(`users.columns.${id as keyof typeof words.users.columns}`),
    columnsLead: t("users.columnsLead"),
    noMatch: ({ search, filters: { status = "any" } }) => ({
      title: search ? t("users.noMatch.title", { search }) : t("users.noMatch.noneWithStatus"),
      help: [
        search && t("users.noMatch.help"),
        status !== "any" && t("users.noMatch.status", { status: statusWord(status as StatusFilter, t) }),
      ]
        .filter(Boolean)
        .join(" "),
    }),
    failed: { title: t("errors.fetchUsers"), help: t("users.failed") },
  }),
});
