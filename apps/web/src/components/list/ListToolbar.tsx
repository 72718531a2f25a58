import { Box, Button } from "@mui/material";
import Columns3 from "lucide-react/icons/columns-3";
import RefreshCw from "lucide-react/icons/refresh-cw";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Dropdown } from "../Dropdown.tsx";
import { Icon } from "../Icon.tsx";
import { SearchField } from "../SearchField.tsx";
import { Segmented } from "../Segmented.tsx";
import type { ListState } from "./use-list.ts";

interface Props<Row extends object, Context> {
  state: ListState<Row, Context>;
  searchRef: RefObject<HTMLInputElement | null>;
  /** Not given where there are no columns. */
  onColumns: (() => void) | undefined;
  /** There is nothing to filter. */
  isBare?: boolean;
}

/** What is shown of the rows, and whether it is all of them. */
export function ListToolbar<Row extends object, Context>({
  state,
  searchRef,
  onColumns,
  isBare = false,
}: Props<Row, Context>) {
  const { t } = useTranslation();
  const { newCount } = state;
  const words = state.list.words(t);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, py: 3 }}>
      {!isBare && words.search !== undefined && (
        <SearchField
          label={words.search}
          value={state.search}
          onChange={state.setSearch}
          onBlur={state.leaveSearch}
          inputRef={searchRef}
          sx={{ width: { xs: "100%", sm: 240 }, "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
        />
      )}
      {!isBare &&
        state.filters.map(({ id, label, choices, isMenu, free }) => {
          if (free)
            return (
              <free.Control
                key={id}
                label={label(t)}
                value={state.address.filters[id] ?? ""}
                onChange={(value) => state.setFilter(id, value)}
              />
            );
          const Choice = isMenu ? Dropdown : Segmented;
          return (
            <Choice
              key={id}
              label={label(t)}
              value={state.address.filters[id] ?? ""}
              onChange={(value) => state.setFilter(id, value)}
              choices={choices.map((choice) => ({ value: choice.value, label: choice.label(t) }))}
            />
          );
        })}
      <Box sx={{ flex: 1 }} />
      <Button variant={newCount > 0 ? "fresh" : "outlined"} onClick={() => void state.refreshAndMark()}>
        <Icon glyph={RefreshCw} spins={state.isFetching} />
        <span aria-live="polite">{(newCount > 0 && words.news?.(newCount)) || t("common.refresh")}</span>
      </Button>
      {onColumns && !isBare && (
        <Button onClick={onColumns}>
          <Icon glyph={Columns3} />
          {t("common.columns.title")}
        </Button>
      )}
    </Box>
  );
}
