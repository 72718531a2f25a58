import { Box, Button, Typography } from "@mui/material";
import type { Group } from "@terrarium/contract";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "../../components/SearchField.tsx";
import { aboveMatches, allOf, pathTo, searchTree } from "../../components/tree/tree-rows.ts";
import { TreeView } from "../../components/tree/TreeView.tsx";
import { useBranches } from "../../components/tree/use-branches.ts";
import type { GroupItem } from "../../shared/group-items.ts";
import { matches } from "./group-tree.ts";
import { GroupFacts } from "./GroupFacts.tsx";

/** This many groups fit on a screen or two; with more, only those at the top are open at first. */
const ALL_OPEN = 40;

interface Props extends Pick<Parameters<typeof TreeView<Group>>[0], "chosen" | "onChoose" | "menu" | "drop"> {
  items: readonly GroupItem[];
  /** As it is typed. */
  search: string;
  onSearch: (search: string) => void;
  /** What is sought, once the keys rest. */
  sought: string;
  searchRef?: RefObject<HTMLInputElement | null>;
}

/** The groups of the organization, which can be searched. What is above a match stays, and is open. */
export function GroupTree({ items, search, onSearch, sought, searchRef, ...tree }: Props) {
  const { t } = useTranslation();
  const isMatch = ({ data }: GroupItem) => matches(data, sought);
  const shown = sought === "" ? items : searchTree(items, isMatch);
  const opened = new Set(
    sought === "" ? pathTo(items, tree.chosen ?? "").map(({ id }) => id) : aboveMatches(items, isMatch),
  );
  const isSmall = sought === "" && allOf(items).length <= ALL_OPEN;
  const { isOpen, toggle } = useBranches((id) => isSmall || opened.has(id), sought);
  return (
    <>
      <SearchField
        fullWidth
        label={t("groups.search")}
        value={search}
        onChange={onSearch}
        inputRef={searchRef}
        sx={{ flex: "none", "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
      />
      {/* There before its words, which are then read out. */}
      <Box component="output" sx={{ display: "block", "&:empty": { mt: -2 } }}>
        {shown.length === 0 && (
          <Box sx={{ display: "grid", justifyItems: "start", gap: 2, p: 3 }}>
            <Typography variant="body2" sx={{ fontWeight: 550, overflowWrap: "anywhere" }}>
              {t("groups.noMatch.title", { search: sought })}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {t("groups.noMatch.help")}
            </Typography>
            <Button onClick={() => onSearch("")}>{t("common.clear")}</Button>
          </Box>
        )}
      </Box>
      {shown.length > 0 && (
        <Box sx={{ flex: 1, minHeight: 0, overflowY: "auto", mx: -2 }}>
          <TreeView label={t("groups.tree")} items={shown} isOpen={isOpen} onToggle={toggle} {...tree}>
            {({ data }) => <GroupFacts group={data} />}
          </TreeView>
        </Box>
      )}
    </>
  );
}
