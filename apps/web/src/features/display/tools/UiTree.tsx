import type { UiNode } from "@terrarium/contract";
import { Box, Button, Typography, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { systemClock } from "@terrarium/clock";
import Crosshair from "lucide-react/icons/crosshair";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyMenu } from "../../../components/CopyMenu.tsx";
import { FactList } from "../../../components/FactList.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { SearchField } from "../../../components/SearchField.tsx";
import { ToolButton } from "../../../components/ToolButton.tsx";
import { aboveMatches, allOf, pathTo, searchTree } from "../../../components/tree/tree-rows.ts";
import { TreeView } from "../../../components/tree/TreeView.tsx";
import { useBranches } from "../../../components/tree/use-branches.ts";
import { itemsOf, nodeAt, selectorsOf, shortClass, shortId, type UiItem } from "../ui-tree/ui-node.ts";
import type { UiTreeSource } from "../ui-tree/ui-tree-source.ts";
import { useUiTree } from "../ui-tree/use-ui-tree.ts";
import { controls, foot, footWords, note } from "./tool-styles.ts";
import { sayTrouble, ToolNotice } from "./ToolNotice.tsx";

/** As many rows as are open at first; of larger screens the outer levels. */
const OPEN_ROWS = 400;
const INDENT = 10;
const AGE_EVERY_MS = 1_000;

const depthOf = (id: string): number => id.split(".").length;

/** What is on a device's screen as a tree, and where that is on its picture. */
export default function UiTree({ name, source }: { name: string; source: UiTreeSource }) {
  const { t } = useTranslation();
  useEffect(() => source.hold(), [source]);
  const { connection, tree, readAt, isBusy, failure, chosen, isPicking } = useUiTree(source);
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const { top, count, openDepth } = useMemo(() => layOut(tree?.root), [tree]);
  const matches = ({ data }: UiItem) =>
    [data.class, data.id, data.text, data.description].some((each) => each?.toLowerCase().includes(wanted));
  const items = wanted === "" ? top : searchTree(top, matches);
  const found = wanted === "" ? undefined : new Set(aboveMatches(items, matches));
  const branches = useBranches(
    (id) => found?.has(id) ?? (depthOf(id) < openDepth || chosen?.startsWith(`${id}.`) === true),
    wanted,
  );
  const node = tree && nodeAt(tree.root, chosen);
  const list = useRef<HTMLDivElement>(null);
  // What was picked on the picture is brought in sight, which what is chosen in the tree is anyway.
  const [picked, setPicked] = useState<{ id: string }>();
  const reveal = useEffectEvent((id: string) => {
    const above = pathTo(top, id).slice(0, -1);
    if (wanted === "")
      branches.toggle(
        above.map((item) => item.id),
        true,
      );
    setSearch("");
    setPicked({ id });
  });
  useEffect(() => {
    if (!picked) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${picked.id}"]`);
    row?.scrollIntoView({ block: "nearest" });
    row?.focus({ preventScroll: true });
  }, [picked]);
  const wasPicking = useRef(false);
  useEffect(() => {
    if (wasPicking.current && !isPicking && chosen !== undefined) reveal(chosen);
    wasPicking.current = isPicking;
  }, [isPicking, chosen]);
  const mark = (event: React.SyntheticEvent) =>
    source.mark((event.target as Element).closest<HTMLElement>("[data-id]")?.dataset["id"]);
  return (
    <>
      <Box sx={controls}>
        <SearchField label={t("tools.ui.search")} value={search} onChange={setSearch} sx={{ flex: 1, minWidth: 0 }} />
        {!isNarrow && (
          <Button
            size="small"
            aria-pressed={isPicking}
            {...(isPicking ? { variant: "contained", color: "primary" } : { variant: "outlined" })}
            startIcon={<Icon glyph={Crosshair} />}
            disabled={!tree}
            title={t("tools.ui.pickHelp")}
            onClick={() => source.pick(!isPicking)}
          >
            {t("tools.ui.pick")}
          </Button>
        )}
        <ToolButton
          label={t("tools.ui.refresh")}
          glyph={RefreshCw}
          isOff={isBusy || connection.phase !== "open"}
          onClick={() => void source.refresh()}
        />
      </Box>
      <ToolNotice state={connection} onAgain={() => source.connect()} />
      {failure && connection.phase === "open" && (
        <Typography role="alert" sx={{ ...note, py: 1.5 }}>
          {sayTrouble(t, failure)}
        </Typography>
      )}
      {tree && items.length === 0 && <Typography sx={note}>{t("tools.ui.nothing")}</Typography>}
      {!tree && !failure && connection.phase === "open" && <Typography sx={note}>{t("tools.ui.reading")}</Typography>}
      <Box
        ref={list}
        sx={rows}
        onPointerOver={mark}
        onPointerLeave={() => source.mark(undefined)}
        onFocus={mark}
        onBlur={() => source.mark(undefined)}
      >
        {items.length > 0 && (
          <TreeView
            label={t("tools.ui.label", { name })}
            items={items}
            indent={INDENT}
            isOpen={branches.isOpen}
            onToggle={branches.toggle}
            chosen={chosen}
            onChoose={(id) => source.choose(id)}
          >
            {({ name: shown, data }) =>
              shown !== shortClass(data) && (
                <Typography variant="caption" component="span" noWrap sx={{ color: "text.tertiary" }}>
                  {shortClass(data)}
                </Typography>
              )
            }
          </TreeView>
        )}
      </Box>
      {node && tree && chosen !== undefined && <Details node={node} selectors={selectorsOf(tree.root, chosen)} />}
      <Box sx={foot}>
        <Typography variant="caption" noWrap sx={footWords}>
          {tree && t(tree.isCut ? "tools.ui.cut" : "tools.ui.count", { count })}
          {readAt !== undefined && tree && (
            <>
              {" · "}
              <Age readAt={readAt} />
            </>
          )}
        </Typography>
      </Box>
    </>
  );
}

/** The tree's rows, how many there are, and how deep it is open at first. */
function layOut(root: UiNode | undefined): { top: UiItem[]; count: number; openDepth: number } {
  if (!root) return { top: [], count: 0, openDepth: 0 };
  const top = [itemsOf(root)];
  const depths = allOf(top).map(({ id }) => depthOf(id));
  let openDepth = 1;
  while (openDepth < 100 && depths.filter((depth) => depth <= openDepth + 1).length <= OPEN_ROWS) openDepth++;
  return { top, count: depths.length, openDepth };
}

function Details({ node, selectors }: { node: UiNode; selectors: ReturnType<typeof selectorsOf> }) {
  const { t } = useTranslation();
  const [left, top, right, bottom] = node.bounds;
  const facts = {
    class: node.class,
    id: node.id,
    text: node.text,
    description: node.description,
    hint: node.hint,
    bounds: t("tools.ui.boundsOf", { left, top, right, bottom, width: right - left, height: bottom - top }),
    flags: node.flags?.join(", "),
  };
  const choices = [
    { label: t("tools.ui.copyXPath"), text: () => selectors.xpath },
    { label: t("tools.ui.copySelector"), text: () => selectors.uiSelector },
    ...(node.id === undefined ? [] : [{ label: t("tools.ui.copyId"), text: () => node.id ?? "" }]),
    { label: t("tools.ui.copyTap"), text: () => selectors.tap },
  ];
  return (
    <Box component="section" aria-label={t("tools.ui.details")} sx={details}>
      <FactList>
        {Object.entries(facts).map(
          ([fact, value]) =>
            value !== undefined && (
              <Box key={fact} sx={{ display: "contents" }}>
                <dt>{t(`tools.ui.facts.${fact as keyof typeof facts}`)}</dt>
                <Box component="dd" sx={{ typography: "mono", whiteSpace: "pre-wrap" }}>
                  {value}
                </Box>
              </Box>
            ),
        )}
      </FactList>
      <Box sx={{ mt: "8px" }}>
        <CopyMenu label={t("tools.ui.copy", { name: shortId(node) || shortClass(node) })} choices={choices} />
      </Box>
    </Box>
  );
}

/** How long ago the screen was read. */
function Age({ readAt }: { readAt: number }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => systemClock.monotonic());
  useEffect(() => {
    const timer = setInterval(() => setNow(systemClock.monotonic()), AGE_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - readAt) / 1_000));
  if (seconds < 2) return t("tools.ui.ageNow");
  return seconds < 120
    ? t("tools.ui.ageSeconds", { seconds })
    : t("tools.ui.ageMinutes", { minutes: Math.round(seconds / 60) });
}

const rows = (theme: Theme) => ({
  flex: 1,
  minHeight: 96,
  overflow: "auto",
  background: theme.vars.palette.background.paper,
});

const details = {
  flex: "0 1 auto",
  maxHeight: "44%",
  overflow: "auto",
  padding: "12px 16px",
  borderTop: "1px solid",
  borderColor: "divider",
};
