import { Box } from "@mui/material";
import ShieldCheck from "lucide-react/icons/shield-check";
import UserRound from "lucide-react/icons/user-round";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Tag } from "../../components/Tag.tsx";
import type { RecipeRow } from "./recipe-rows.ts";

export const LIST_ID = "start-recipes";
export const optionIdOf = ([{ uuid }]: RecipeRow) => `${LIST_ID}-${uuid}`;

interface Props {
  row: RecipeRow;
  isChosen: boolean;
  onChoose: () => void;
  onStart: () => void;
}

/** One row of the list: a recipe, or twins of it. The focus stays in the search field; this is what it points at. */
export function RecipeOption({ row, isChosen, onChoose, onStart }: Props) {
  const { t } = useTranslation();
  const self = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) self.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const { hardware_profile: profile, name, is_official: isOfficial } = row[0];
  const shape = profile ? shapeOf(profile) : "phone";
  const display = profile?.display_settings.displays[0];
  return (
    <Box
      ref={self}
      component="li"
      id={optionIdOf(row)}
      {...{ role: "option", "aria-selected": isChosen }}
      onClick={onChoose}
      onDoubleClick={onStart}
      sx={[option, isChosen && chosen]}
    >
      <FormFactorTile shape={shape} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 550, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }} title={name}>
          {name}
        </Box>
        {display && (
          <Box sx={{ typography: "caption", color: "text.tertiary" }}>
            {t(shape === "foldable" ? "recipes.start.folds" : "recipes.start.size", display)}
          </Box>
        )}
      </Box>
      <Box
        sx={{ display: "flex", gap: 1, flexWrap: "wrap", justifyContent: "flex-end", maxWidth: { xs: 72, sm: "none" } }}
      >
        {row.map(({ arch }) => arch && <Tag key={arch}>{arch}</Tag>)}
      </Box>
      <Box
        sx={{ width: 74, display: { xs: "none", sm: "flex" }, gap: 1, typography: "caption", color: "text.tertiary" }}
      >
        <Icon glyph={isOfficial ? ShieldCheck : UserRound} size={14} />
        {t(isOfficial ? "recipes.start.official" : "recipes.start.custom")}
      </Box>
    </Box>
  );
}

const option = {
  display: "flex",
  alignItems: "center",
  gap: 3,
  minHeight: 56,
  px: 3,
  borderRadius: "8px",
  cursor: "pointer",
  typography: "body1",
  "&:hover": { background: "var(--mui-palette-action-hover)" },
};
const chosen = {
  "&, &:hover": {
    background: "var(--mui-palette-action-selected)",
    boxShadow: "inset 0 0 0 1.5px var(--mui-palette-primary-main)",
  },
  "@media (forced-colors: active)": { outline: "2px solid Highlight", outlineOffset: -2 },
};
