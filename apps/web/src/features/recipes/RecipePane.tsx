import { Box, Button, Skeleton } from "@mui/material";
import { limits } from "@terrarium/contract";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { lastPage } from "../../components/list/Pager.tsx";
import { requestState } from "../../components/request-state.ts";
import { ToolButton } from "../../components/ToolButton.tsx";
import { RecipeFilters } from "./RecipeFilters.tsx";
import { RecipeOption } from "./RecipeOption.tsx";
import type { RecipePicker } from "./use-recipe-picker.ts";

const LIST_ID = "start-recipes";
/** A list beside a search field that keeps the focus; no element of HTML is that. */
const listbox = { role: "listbox" };
const optionId = (uuid: string) => `${LIST_ID}-${uuid}`;

interface Props {
  picker: RecipePicker;
  hasSources: boolean;
  onStart: () => void;
}

/** The recipes to choose from: search, filters, list and pages. */
export function RecipePane({ picker, hasSources, onStart }: Props) {
  const { query, recipes, chosen } = picker;
  return (
    <Box sx={{ display: "flex", flexDirection: "column", minHeight: 0, minWidth: 0 }}>
      <RecipeFilters
        picker={picker}
        hasSources={hasSources}
        listId={LIST_ID}
        activeId={chosen && optionId(chosen.uuid)}
      />
      {recipes.length === 0 && (
        <Box sx={{ ...listArea, height: "auto", minHeight: { xs: 232, sm: 0 } }}>
          {
            {
              NOT_STARTED: null,
              PENDING: <Loading />,
              FINISHED_ERROR: <Failed picker={picker} />,
              FINISHED_OK: <NoneFound picker={picker} />,
            }[requestState(query)]
          }
        </Box>
      )}
      <Options picker={picker} onStart={onStart} />
      <Pages picker={picker} />
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

function Options({ picker, onStart }: { picker: RecipePicker; onStart: () => void }) {
  const { t } = useTranslation();
  return (
    <Box
      component="ul"
      id={LIST_ID}
      {...listbox}
      aria-label={t("recipes.start.list")}
      sx={[listArea, { listStyle: "none" }, picker.recipes.length === 0 && { display: "none" }]}
    >
      {picker.recipes.map((recipe) => (
        <RecipeOption
          key={recipe.uuid}
          id={optionId(recipe.uuid)}
          recipe={recipe}
          isChosen={recipe === picker.chosen}
          onChoose={() => picker.choose(recipe.uuid)}
          onStart={onStart}
        />
      ))}
    </Box>
  );
}

const Loading = () => (
  <Delayed>
    {[1, 2, 3, 4, 5].map((row) => (
      <Box key={row} sx={{ display: "flex", alignItems: "center", gap: 3, height: 56, px: 3 }}>
        <Skeleton variant="rounded" animation={false} width={28} height={28} />
        <Skeleton animation={false} width={`${40 + row * 8}%`} />
      </Box>
    ))}
  </Delayed>
);

function Failed({ picker: { query } }: { picker: RecipePicker }) {
  const { t } = useTranslation();
  return (
    <ErrorState
      title={t("recipes.failed.title")}
      help={t("recipes.failed.help")}
      error={query.error}
      onRetry={() => void query.refetch()}
    />
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

function Pages({ picker: { page, count, setPage } }: { picker: RecipePicker }) {
  const { t } = useTranslation();
  const size = limits.pageSize;
  const last = lastPage(count, size);
  return (
    <Box sx={{ display: "flex", alignItems: "center", height: 44, px: 6, pr: 4, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ flex: 1, typography: "caption", color: "text.tertiary" }} aria-live="polite">
        {count > 0 &&
          t("recipes.start.range", { from: (page - 1) * size + 1, to: Math.min(page * size, count), total: count })}
      </Box>
      <Box>
        <ToolButton
          label={t("common.table.previous")}
          glyph={ChevronLeft}
          onClick={() => setPage(page - 1)}
          isOff={page <= 1}
        />
        <ToolButton
          label={t("common.table.next")}
          glyph={ChevronRight}
          onClick={() => setPage(page + 1)}
          isOff={page >= last}
        />
      </Box>
    </Box>
  );
}
