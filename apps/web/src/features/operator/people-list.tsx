import type { OperatedPerson } from "@terrarium/contract";
import type { TFunction } from "i18next";
import ShieldOff from "lucide-react/icons/shield-off";
import UserCheck from "lucide-react/icons/user-check";
import UserX from "lucide-react/icons/user-x";
import { declareList } from "../../components/list/list.ts";
import { RowName } from "../../components/list/RowName.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import type { operator as words } from "../../en/operator.ts";
import { peoplePage, type PersonAct } from "./operator.queries.ts";

interface PeopleListContext {
  t: TFunction;
  organization: string;
  act: (act: PersonAct, person: OperatedPerson) => void;
}

const statusOf = ({ is_validated, is_enabled, has_second_factor }: OperatedPerson, t: TFunction): string =>
  [
    t(`operator.people.status.${!is_validated ? "pending" : is_enabled ? "enabled" : "disabled"}`),
    ...(has_second_factor ? [t("operator.people.secondFactor")] : []),
  ].join(", ");
const roleOf = ({ is_organization_manager }: OperatedPerson, t: TFunction): string =>
  t(`common.roles.${is_organization_manager ? "manager" : "user"}`);
const lastSignIn = ({ last_sign_in_at: time }: OperatedPerson, t: TFunction) =>
  time === null ? t("operator.people.never") : <RelativeTime time={time} />;

export const peopleList = declareList<OperatedPerson, PeopleListContext>({
  key: "operator-people",
  query: ({ search, ...ask }, { organization }) =>
    peoplePage(organization, { ...ask, ...(search !== undefined && { search }) }),
  idOf: ({ uuid }) => uuid,
  nameOf,
  columns: [
    {
      id: "name",
      flexWidth: 4,
      shown: "always",
      cell: (person) => <RowName name={nameOf(person)} />,
    },
    {
      id: "email",
      flexWidth: 5,
      shown: "always",
      sortBy: "email",
      cell: ({ email }) => <span title={email}>{email}</span>,
    },
    { id: "role", flexWidth: 2, shown: "first", cell: (person, { t }) => roleOf(person, t) },
    { id: "status", flexWidth: 4, shown: "always", cell: (person, { t }) => statusOf(person, t) },
    {
      id: "last_sign_in_at",
      flexWidth: 3,
      align: "right",
      shown: "first",
      sortBy: "last_sign_in_at",
      isNewestFirst: true,
      cell: (person, { t }) => lastSignIn(person, t),
    },
  ],
  ordering: "email",
  pageSizes: [10, 25, 100],
  pageSize: 10,
  card: (person, { t }) => ({
    title: nameOf(person),
    caption: person.email,
    facts: [
      <span key="role">{roleOf(person, t)}</span>,
      <span key="status">{statusOf(person, t)}</span>,
      <span key="last">
        {t("operator.people.columns.last_sign_in_at")}: {lastSignIn(person, t)}
      </span>,
    ],
  }),
  actions: (person, { t, act }) => {
    const acts: [PersonAct, typeof UserX][] = [
      person.is_enabled ? ["disable", UserX] : ["enable", UserCheck],
      ...(person.has_second_factor ? [["factor", ShieldOff] as [PersonAct, typeof UserX]] : []),
    ];
    return acts.map(([what, glyph]) => ({
      id: what,
      glyph,
      label: t(`operator.people.actions.${what}`, { name: nameOf(person) }),
      short: t(`operator.people.menu.${what}`),
      run: () => act(what, person),
    }));
  },
  words: (t) => ({
    label: t("operator.people.table"),
    search: t("operator.people.filter"),
    column: (id) => t(`operator.people.columns.${id as keyof typeof words.operator.people.columns}`),
    columnsLead: t("operator.people.columnsLead"),
    noMatch: ({ search }) => ({
      title: t("operator.people.noMatch.title", { search }),
      help: t("operator.people.noMatch.help"),
    }),
    failed: { title: t("errors.operatorPeople"), help: t("operator.failed") },
  }),
});
