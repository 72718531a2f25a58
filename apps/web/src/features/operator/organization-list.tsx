import type { TFunction } from "i18next";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import Clock from "lucide-react/icons/clock";
import FolderOpen from "lucide-react/icons/folder-open";
import { createdColumn } from "../../components/list/created-column.tsx";
import { declareList } from "../../components/list/list.ts";
import { RowName } from "../../components/list/RowName.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { serviceNow } from "../../components/service-time.ts";
import { StateChip } from "../../components/StateChip.tsx";
import type { operator as words } from "../../en/operator.ts";
import { type ListedOrganization, organizationPage } from "./operator.queries.ts";

interface OrganizationListContext {
  t: TFunction;
  open: (organization: ListedOrganization) => void;
}

const licenses = ["any", "active", "inactive", "expired"] as const;
type LicenseFilter = (typeof licenses)[number];

const runningOf = ({ running_instances, instances_max }: ListedOrganization, t: TFunction) =>
  t("operator.organizations.runningOf", { count: running_instances, max: instances_max });

const hasEnded = (time: string | null): boolean => time !== null && new Date(time).getTime() <= serviceNow();

/** What an organization pays by, and whether its devices may start. */
export function LicenseChip({ license, t }: Pick<ListedOrganization, "license"> & { t: TFunction }) {
  const isOver = hasEnded(license.expires_at);
  if (!license.is_active || license.is_unpaid)
    return <StateChip tone="gone" glyph={CircleSlash} label={t("operator.organizations.license.inactive")} />;
  if (isOver) return <StateChip tone="error" glyph={Clock} label={t("operator.organizations.license.expired")} />;
  return <StateChip tone="success" glyph={CircleCheck} label={t(`operator.organizations.types.${license.type}`)} />;
}

export const organizationList = declareList<ListedOrganization, OrganizationListContext>({
  key: "operator-organizations",
  query: ({ search, ...ask }, _, { license = "any" }) =>
    organizationPage({
      ...ask,
      ...(search !== undefined && { search }),
      ...(license !== "any" && { license: license as Exclude<LicenseFilter, "any"> }),
    }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  columns: [
    {
      id: "name",
      flexWidth: 6,
      shown: "always",
      sortBy: "name",
      cell: ({ name }) => <RowName name={name} />,
    },
    { id: "people", flexWidth: 2, align: "right", shown: "first", cell: ({ people }) => people },
    {
      id: "running",
      flexWidth: 3,
      align: "right",
      shown: "first",
      cell: (organization, { t }) => runningOf(organization, t),
    },
    {
      id: "license",
      flexWidth: 4,
      shown: "always",
      cell: ({ license }, { t }) => <LicenseChip license={license} t={t} />,
    },
    createdColumn("created_at"),
  ],
  ordering: "name",
  pageSizes: [10, 25, 100],
  pageSize: 25,
  filters: [
    {
      id: "license",
      label: (t) => t("operator.organizations.license.label"),
      choices: licenses.map((value) => ({ value, label: (t) => t(`operator.organizations.license.${value}`) })),
      isMenu: true,
    },
  ],
  open: (organization, { open }) => open(organization),
  card: (organization, { t }) => ({
    title: organization.name,
    caption: <RelativeTime time={organization.created_at} />,
    mark: <LicenseChip license={organization.license} t={t} />,
    facts: [
      <span key="people">{t("operator.organizations.peopleIn", { count: organization.people })}</span>,
      <span key="running">
        {t("operator.organizations.columns.running")}: {runningOf(organization, t)}
      </span>,
    ],
  }),
  actions: (organization, { t, open }) => [
    {
      id: "open",
      glyph: FolderOpen,
      label: t("operator.organizations.open", organization),
      short: t("operator.organizations.openIt"),
      isMain: true,
      run: () => open(organization),
    },
  ],
  words: (t) => ({
    label: t("operator.organizations.table"),
    search: t("operator.organizations.filter"),
    column: (id) => t(`operator.organizations.columns.${id as keyof typeof words.operator.organizations.columns}`),
    columnsLead: t("operator.organizations.columnsLead"),
    noMatch: ({ search }) => ({
      title: search
        ? t("operator.organizations.noMatch.title", { search })
        : t("operator.organizations.noMatch.noneWith"),
      help: t("operator.organizations.noMatch.help"),
    }),
    failed: { title: t("errors.operatorOrganizations"), help: t("operator.failed") },
  }),
});
