import { Box, Button, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { requestState } from "../../components/request-state.ts";
import { useInSight } from "../../components/use-in-sight.ts";
import { RecipeFilters } from "./RecipeFilters.tsx";
import { LIST_ID, RecipeOption } from "./RecipeOption.tsx";
import { RecipesLoading } from "./RecipesLoading.tsx";
import type { RecipePicker } from "./use-recipe-picker.ts";

/** A list beside a search field in which the focus stays; HTML has no element for that. */
const listbox = { role: "listbox" };

interface Props {
  picker: RecipePicker;
  onStart: () => void;
}

/** The recipes to choose from: search, filters and the list. */
export function RecipePane({ picker, onStart }: Props) {
  const { t } = useTranslation();
  const { query, rows } = picker;
  const failed = t("recipes.failed", { returnObjects: true });
  return (
    <Box sx={{ display: "flex", flexDirection: "column", minHeight: 0, minWidth: 0 }}>
      <RecipeFilters picker={picker} onStart={onStart} />
      {rows.length === 0 && (
        <Box sx={{ ...listArea, height: "auto", minHeight: { xs: 232, sm: 0 } }}>
          {
            {
              NOT_STARTED: null,
              PENDING: <RecipesLoading />,
              FINISHED_ERROR: <ErrorState {...failed} error={query.error} onRetry={() => void query.refetch()} />,
              FINISHED_OK: <NoneFound picker={picker} />,
            }[requestState(query)]
          }
        </Box>
      )}
      <Options picker={picker} onStart={onStart} />
      <Typography variant="caption" component="div" sx={extent} aria-live="polite">
        {rows.length > 0 && t(query.hasNextPage ? "recipes.start.first" : "recipes.start.all", { count: rows.length })}
      </Typography>
    </Box>
  );
}

/** On a phone the list scrolls within the dialog, so that the name below it stays within reach. */
const listArea = {
  flex: { xs: "none", sm: 1 },
  height: { xs: 232, sm: "auto" },
  minHeight: 0,
  overflowY: "auto",
  m: 0,
  px: 3,
  py: 0,
};

const extent = { px: 6, py: 3, minHeight: 41, borderTop: 1, borderColor: "divider", color: "text.tertiary" };

function Options({ picker, onStart }: Props) {
  const { t } = useTranslation();
  const end = useInSight(picker.fetchMore);
  return (
    <Box
      component="ul"
      id={LIST_ID}
      {...listbox}
      aria-label={t("recipes.start.list")}
      sx={[listArea, { listStyle: "none" }, picker.rows.length === 0 && { display: "none" }]}
    >
      {picker.rows.map((row) => (
        <RecipeOption
          key={row[0].uuid}
          row={row}
          isChosen={row === picker.row}
          onChoose={() => picker.choose(row)}
          onStart={onStart}
        />
      ))}
      {/* After each page it is looked at again: a list that does not fill its place goes on. */}
      <Box key={picker.query.dataUpdatedAt} component="li" ref={end} role="presentation" sx={{ height: "1px" }} />
    </Box>
  );
}

function NoneFound({ picker }: { picker: RecipePicker }) {
  const { t } = useTranslation();
  const { sought, source, shapes, arch } = picker;
  const filters = [
    sought && `“${sought}”`,
    source !== "all" && t(`recipes.start.sources.${source}`),
    ...shapes.map((shape) => t(`launchpad.shapes.${shape}`)),
    arch !== "all" && arch,
  ].filter(Boolean);
  return (
    <EmptyState
      title={sought ? t("recipes.none.titleSearch", { search: sought }) : t("recipes.none.title")}
      help={picker.isFiltered ? t("recipes.none.help", { filters: filters.join(", ") }) : t("recipes.none.helpShared")}
    >
      {picker.isFiltered && <Button onClick={picker.clearFilters}>{t("recipes.none.clear")}</Button>}
    </EmptyState>
  );
}
