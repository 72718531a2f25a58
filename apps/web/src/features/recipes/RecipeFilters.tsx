import { Box } from "@mui/material";
import { architectures } from "@terrarium/contract";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Dropdown } from "../../components/Dropdown.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { shapeGlyphs, shapes } from "../../shared/FormFactorTile.tsx";
import { SearchField } from "../../components/SearchField.tsx";
import { IconToggles, Segmented } from "../../components/Segmented.tsx";
import { LIST_ID, optionIdOf } from "./RecipeOption.tsx";
import { sources } from "./start-preferences.ts";
import type { RecipePicker } from "./use-recipe-picker.ts";

interface Props {
  picker: RecipePicker;
  onStart: () => void;
}

/** How far the keys move the choice. */
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };

/** Search and filters. The arrow keys move through the list while the focus stays in the search, and Enter starts. */
export function RecipeFilters({ picker, onStart }: Props) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") onStart();
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    picker.move(by);
  };
  return (
    <Box sx={{ display: "grid", gap: 3, pt: 4, pb: 3, px: { xs: 4, sm: 6 }, pr: { sm: 4 } }}>
      <SearchField
        label={t("recipes.start.search")}
        value={picker.search}
        onChange={(search) => picker.filter({ search })}
        onKeyDown={onKeyDown}
        size="medium"
        fullWidth
        sx={{ height: 40 }}
        inputRef={focusWhenShown}
        inputProps={{
          "aria-label": t("recipes.start.search"),
          role: "combobox",
          "aria-expanded": true,
          "aria-autocomplete": "list",
          "aria-controls": LIST_ID,
          "aria-activedescendant": picker.row && optionIdOf(picker.row),
          autoComplete: "off",
        }}
      />
      <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap" }}>
        {picker.hasSources && (
          <Segmented
            label={t("recipes.start.source")}
            value={picker.source}
            onChange={picker.setSource}
            choices={sources.map((value) => ({ value, label: t(`recipes.start.sources.${value}`) }))}
          />
        )}
        {/* Where they do not fit beside the others, the others come together. */}
        <Box sx={{ ml: { sm: "auto" }, order: { xs: 1, sm: 0 } }}>
          <IconToggles
            label={t("recipes.start.shapes")}
            values={picker.shapes}
            onChange={(values) => picker.filter({ shapes: values })}
            choices={shapes.map((value) => ({
              value,
              label: t(`launchpad.shapes.${value}`),
              glyph: shapeGlyphs[value],
            }))}
          />
        </Box>
        <Dropdown
          label={t("recipes.start.arch")}
          value={picker.arch}
          onChange={(arch) => picker.filter({ arch })}
          choices={(["all", ...architectures] as const).map((value) => ({
            value,
            label: value === "all" ? t("recipes.start.anyArch") : value,
          }))}
        />
      </Box>
    </Box>
  );
}
