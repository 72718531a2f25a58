import { Box, MenuItem, Select, Typography } from "@mui/material";
import { architectures } from "@terrarium/contract";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "../../components/SearchField.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { catalogueSources } from "./catalogue-address.ts";
import type { CatalogueWords } from "./CatalogueView.tsx";
import type { CatalogueState } from "./use-catalogue.ts";

interface Props<Item> {
  state: CatalogueState<Item>;
  words: Pick<CatalogueWords, "search" | "count">;
  hasArch: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
}

/** What is shown of a catalogue, and how much that is. */
export function CatalogueToolbar<Item>({ state, words, hasArch, searchRef }: Props<Item>) {
  const { t } = useTranslation();
  const { source, arch } = state.address;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, py: 4 }}>
      <SearchField
        label={words.search}
        value={state.search}
        onChange={state.setSearch}
        onBlur={state.leaveSearch}
        inputRef={searchRef}
        sx={{ width: { xs: "100%", sm: 280 }, "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
      />
      {state.hasSources && (
        <Segmented
          label={t("catalogue.source")}
          value={source}
          onChange={(next) => state.go({ source: next })}
          choices={catalogueSources.map((value) => ({ value, label: t(`catalogue.sources.${value}`) }))}
        />
      )}
      {hasArch && (
        <Select
          size="small"
          value={arch}
          onChange={(event) => state.go({ arch: event.target.value })}
          sx={{ "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
          inputProps={{ "aria-label": t("catalogue.arch") }}
        >
          <MenuItem value="all">{t("catalogue.anyArch")}</MenuItem>
          {architectures.map((value) => (
            <MenuItem key={value} value={value}>
              {value}
            </MenuItem>
          ))}
        </Select>
      )}
      <Typography variant="body2" aria-live="polite" sx={{ ml: "auto", color: "text.tertiary" }}>
        {state.items && !state.error && words.count(state.count)}
      </Typography>
    </Box>
  );
}
