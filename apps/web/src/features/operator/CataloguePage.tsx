import "../../en/operator.ts";
import type { TFunction } from "i18next";
import CircleCheck from "lucide-react/icons/circle-check";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import { declareList } from "../../components/list/list.ts";
import { ListView } from "../../components/list/ListView.tsx";
import { pageOfAll } from "../../components/list/page-of-all.ts";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { StateChip } from "../../components/StateChip.tsx";
import type { operator as words } from "../../en/operator.ts";
import { catalogue, type OfficialRecipe } from "./operator.queries.ts";

/** Whether a device can be started from it here. */
function stateOf({ status, image_status, runtime, is_runtime_configured }: OfficialRecipe, t: TFunction) {
  if (status !== "READY" || image_status !== "READY")
    return <StateChip tone="error" glyph={TriangleAlert} label={t("operator.catalogue.states.notReady")} />;
  if (!is_runtime_configured)
    return (
      <StateChip
        tone="ending"
        glyph={TriangleAlert}
        label={t("operator.catalogue.states.noRuntime", { runtime: runtime ?? "" })}
      />
    );
  return <StateChip tone="success" glyph={CircleCheck} label={t("operator.catalogue.states.ready")} />;
}

const recipeList = declareList<OfficialRecipe, { t: TFunction }>({
  key: "operator-catalogue",
  query: (ask) => ({
    ...catalogue,
    select: (recipes: OfficialRecipe[]) => pageOfAll(recipes, ask, ({ name }) => name),
  }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  columns: [
    { id: "name", flexWidth: 6, shown: "always", sortBy: "name", cell: ({ name }) => <span title={name}>{name}</span> },
    { id: "os_version", flexWidth: 2, shown: "first", sortBy: "os_version", cell: ({ os_version }) => os_version },
    { id: "arch", flexWidth: 2, shown: "first", sortBy: "arch", cell: ({ arch }) => arch },
    { id: "status", flexWidth: 6, shown: "always", cell: (recipe, { t }) => stateOf(recipe, t) },
    {
      id: "running_instances",
      flexWidth: 2,
      align: "right",
      shown: "first",
      sortBy: "running_instances",
      isNewestFirst: true,
      cell: ({ running_instances }) => running_instances,
    },
  ],
  ordering: "name",
  pageSizes: [10, 25, 100],
  pageSize: 25,
  card: (recipe, { t }) => ({
    title: recipe.name,
    caption: [recipe.os_version, recipe.arch].filter(Boolean).join(" · "),
    mark: stateOf(recipe, t),
    facts: [
      <span key="devices">
        {t("operator.catalogue.columns.running_instances")}: {recipe.running_instances}
      </span>,
    ],
  }),
  words: (t) => ({
    label: t("operator.catalogue.table"),
    search: t("operator.catalogue.filter"),
    column: (id) => t(`operator.catalogue.columns.${id as keyof typeof words.operator.catalogue.columns}`),
    columnsLead: t("operator.catalogue.columnsLead"),
    noMatch: ({ search }) => ({
      title: t("operator.catalogue.noMatch.title", { search }),
      help: t("operator.catalogue.noMatch.help"),
    }),
    failed: { title: t("errors.operatorCatalogue"), help: t("operator.failed") },
  }),
});

/** What comes with the service, and whether it can be started here. */
export default function CataloguePage() {
  const { t } = useTranslation();
  const list = useList(recipeList, { t });
  return (
    <>
      <PageHeader title={t("common.titles.operatedCatalogue")} />
      <ListView
        state={list}
        empty={<EmptyState title={t("operator.catalogue.empty.title")} help={t("operator.catalogue.empty.help")} />}
      />
    </>
  );
}
