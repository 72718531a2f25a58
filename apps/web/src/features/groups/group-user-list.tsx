import { Box } from "@mui/material";
import type { Group, User } from "@terrarium/contract";
import type { TFunction } from "i18next";
import FolderInput from "lucide-react/icons/folder-input";
import GripVertical from "lucide-react/icons/grip-vertical";
import UserMinus from "lucide-react/icons/user-minus";
import { Icon } from "../../components/Icon.tsx";
import { declareList } from "../../components/list/list.ts";
import { nameOf, PersonMark } from "../../components/PersonMark.tsx";
import type { groups as words } from "../../en/groups.ts";
import { roleOf } from "../../session/session.ts";
import { groupUsers } from "./groups.queries.ts";

/** What the list of a group's users needs besides the users. */
interface GroupUserContext {
  t: TFunction;
  group: Group;
  /** Both ask first. */
  move: (users: readonly User[]) => void;
  remove: (users: readonly User[]) => void;
  /** Somebody is picked up, to be dropped onto another group. */
  pickUp: (user: User) => void;
  putDown: () => void;
}

const ellipsis = { overflow: "hidden", textOverflow: "ellipsis" };

/** Who it is, and where they are held by the pointer. The action “Move” does the same with the keys. */
function Holdable({ user, context: { t, pickUp, putDown } }: { user: User; context: GroupUserContext }) {
  return (
    <Box
      component="span"
      draggable
      onDragStart={(event: React.DragEvent) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", user.email);
        pickUp(user);
      }}
      onDragEnd={putDown}
      sx={{ display: "flex", alignItems: "center", gap: 2, cursor: "grab" }}
    >
      <Box component="span" title={t("groups.users.drag")} sx={grip}>
        <Icon glyph={GripVertical} size={14} />
      </Box>
      <PersonMark person={user} size={28} />
      <Box component="span" title={nameOf(user)} sx={{ ...ellipsis, fontWeight: 550, color: "text.primary" }}>
        {nameOf(user)}
      </Box>
    </Box>
  );
}

const grip = { display: "flex", color: "text.tertiary", "@media (hover: none)": { display: "none" } } as const;

/** Without bulk edit rows cannot be selected. */
export const groupUserList = declareList<User, GroupUserContext>({
  key: "group-users",
  query: ({ search, ...ask }, { group }) => groupUsers(group.uuid, { ...ask, ...(search !== undefined && { search }) }),
  idOf: ({ uuid }) => uuid,
  nameOf,
  columns: [
    {
      id: "name",
      flexWidth: 5,
      shown: "always",
      sortBy: "first_name",
      cell: (user, context) => <Holdable user={user} context={context} />,
    },
    {
      id: "email",
      flexWidth: 5,
      shown: "always",
      sortBy: "email",
      cell: ({ email }) => <span title={email}>{email}</span>,
    },
    { id: "role", flexWidth: 3, shown: "first", cell: (user, { t }) => t(`common.roles.${roleOf(user)}`) },
  ],
  ordering: "email",
  pageSizes: [10, 25, 50],
  pageSize: 10,
  card: (user, { t }) => ({
    lead: <PersonMark person={user} size={28} />,
    title: nameOf(user),
    caption: user.email,
    facts: [<span key="role">{t(`common.roles.${roleOf(user)}`)}</span>],
  }),
  actions: (user, { t, move, remove }) => [
    {
      id: "move",
      glyph: FolderInput,
      label: t("groups.users.moveOf", { name: nameOf(user) }),
      short: t("groups.users.move"),
      run: () => move([user]),
    },
    {
      id: "remove",
      glyph: UserMinus,
      label: t("groups.users.removeOf", { name: nameOf(user) }),
      short: t("groups.users.remove"),
      run: () => remove([user]),
    },
  ],
  words: (t) => ({
    label: t("groups.users.table"),
    search: t("groups.users.filter"),
    column: (id) => t(`groups.users.columns.${id as keyof typeof words.groups.users.columns}`),
    columnsLead: t("groups.users.columnsLead"),
    noMatch: ({ search }) => ({
      title: t("groups.users.noMatch.title", { search }),
      help: t("groups.users.noMatch.help"),
    }),
    failed: { title: t("errors.fetchUsers"), help: t("groups.users.failed") },
  }),
});

/** With bulk edit. */
export const bulkGroupUserList: typeof groupUserList = {
  ...groupUserList,
  bulk: (users, { t, move, remove }) => [
    { glyph: FolderInput, label: t("groups.users.moveSome", { count: users.length }), run: () => move(users) },
    { glyph: UserMinus, label: t("groups.users.removeSome", { count: users.length }), run: () => remove(users) },
  ],
};
