import { styled } from "@mui/material/styles";
import ChevronRight from "lucide-react/icons/chevron-right";
import Ellipsis from "lucide-react/icons/ellipsis";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../Icon.tsx";
import { stepOf, TypeAhead } from "./tree-keys.ts";
import { rowsOf, type TreeItem, type TreeRow } from "./tree-rows.ts";
import { type TreeDrop, useTreeDrop } from "./use-tree-drop.ts";

interface Props<Data> {
  label: string;
  items: readonly TreeItem<Data>[];
  isOpen: (id: string) => boolean;
  /** Opens or closes branches. */
  onToggle: (ids: readonly string[], isOpen: boolean) => void;
  /** The one that is chosen. */
  chosen: string | undefined;
  onChoose: (id: string) => void;
  /** What stands behind the name of an item; it is part of what a screen reader says. */
  children: (item: TreeItem<Data>) => React.ReactNode;
  /** Asked for by its button, Shift+F10, the menu key or the right mouse button. */
  menu?: { label: (item: TreeItem<Data>) => string; open: (id: string, anchor: HTMLElement) => void };
  drop?: TreeDrop;
  /** Pixels of each level: less in deep trees. */
  indent?: number;
}

/**
 * A tree as ARIA's pattern has it: one stop of the Tab key, in which arrows, Home, End and letters move, the star opens all siblings, and
 * Enter or Space choose. Its rows are one flat list with their levels, so that some hundreds cost little.
 */
export function TreeView<Data>(props: Props<Data>) {
  const { label, items, isOpen, onToggle, chosen, onChoose, children, menu, drop, indent = 20 } = props;
  const rows = rowsOf(items, isOpen);
  const [focused, setFocused] = useState<string>();
  const [typed] = useState(() => new TypeAhead());
  const { over, listeners } = useTreeDrop(drop);
  const has = (id: string | undefined) => rows.some(({ item }) => item.id === id);
  const stop = [focused, chosen].find(has) ?? rows[0]?.item.id;
  const treeId = useId();
  const elementOf = (id: string) => document.getElementById(`${treeId}-${id}`);

  // A row that had the focus may be closed away, or be gone.
  const last = useRef<Element>(undefined);
  useEffect(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body && stop !== undefined)
      elementOf(stop)?.focus();
  });

  const onClick = (event: MouseEvent) => {
    const id = idOf(event);
    const row = rows.find(({ item }) => item.id === id);
    if (!row) return;
    const part = (event.target as Element).closest<HTMLElement>("[data-part]");
    if (part?.dataset.part === "menu") menu?.open(row.item.id, part);
    else if (part?.dataset.part === "toggle") onToggle([row.item.id], !row.isOpen);
    else onChoose(row.item.id);
  };
  const onContextMenu = (event: MouseEvent) => {
    const id = idOf(event);
    const element = id !== undefined && elementOf(id);
    if (!menu || !element) return;
    event.preventDefault();
    menu.open(id, element);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = idOf(event);
    if (at === undefined || event.target !== elementOf(at) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, timeStamp } = event;
    if (menu && (key === "ContextMenu" || (key === "F10" && event.shiftKey))) {
      event.preventDefault();
      menu.open(at, event.target as HTMLElement);
      return;
    }
    if (key === "Enter" || (key === " " && !typed.isTyping(timeStamp))) {
      event.preventDefault();
      onChoose(at);
      return;
    }
    const step = stepOf(rows, at, key);
    if (step && "open" in step) onToggle(step.open, true);
    else if (step && "close" in step) onToggle([step.close], false);
    else if (step) elementOf(step.focus)?.focus();
    else if (key.length === 1 && key !== "*") {
      const found = typed.find(rows, at, key, timeStamp);
      if (found === undefined) return;
      elementOf(found)?.focus();
    } else return;
    event.preventDefault();
    // A letter that finds a row is no shortcut of the page.
    event.stopPropagation();
  };

  return (
    <List
      role="tree"
      aria-label={label}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        last.current = event.target;
        setFocused(idOf(event));
      }}
      {...listeners}
    >
      {rows.map((row) => (
        <Row
          key={row.item.id}
          id={`${treeId}-${row.item.id}`}
          row={row}
          isChosen={row.item.id === chosen}
          isStop={row.item.id === stop}
          isOver={row.item.id === over}
          menuLabel={menu?.label(row.item)}
          indent={indent}
        >
          {children(row.item)}
        </Row>
      ))}
    </List>
  );
}

const idOf = (event: { target: EventTarget }): string | undefined =>
  (event.target as Element).closest<HTMLElement>("[data-id]")?.dataset.id;

interface RowProps {
  id: string;
  row: TreeRow;
  isChosen: boolean;
  isStop: boolean;
  isOver: boolean;
  menuLabel: string | undefined;
  indent: number;
  children: React.ReactNode;
}

function Row({ id, row, isChosen, isStop, isOver, menuLabel, indent, children }: RowProps) {
  const { item, level, place, siblings, isOpen } = row;
  return (
    <Line
      id={id}
      role="treeitem"
      data-id={item.id}
      data-over={isOver || undefined}
      aria-labelledby={`${id}-name`}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={isOpen}
      aria-selected={isChosen}
      tabIndex={isStop ? 0 : -1}
      style={{ paddingLeft: (level - 1) * indent + 4 }}
    >
      <Toggle data-part={isOpen === undefined ? undefined : "toggle"} data-open={isOpen} aria-hidden="true">
        {isOpen !== undefined && <Icon glyph={ChevronRight} />}
      </Toggle>
      <Words id={`${id}-name`}>
        {/* The space is for names of what is read out; in a row of its own it would be dropped. */}
        <Name title={item.name}>{`${item.name} `}</Name>
        {children}
      </Words>
      {menuLabel !== undefined && (
        <More
          type="button"
          data-part="menu"
          tabIndex={-1}
          aria-label={menuLabel}
          title={menuLabel}
          aria-haspopup="menu"
        >
          <Icon glyph={Ellipsis} />
        </More>
      )}
    </Line>
  );
}

const List = styled("ul")({ listStyle: "none", margin: 0, padding: 4 });

const Line = styled("li")(({ theme }) => ({
  ...theme.typography.body2,
  display: "flex",
  alignItems: "center",
  minHeight: 36,
  paddingRight: 4,
  borderRadius: 6,
  cursor: "pointer",
  // Rows out of sight cost no layout.
  contentVisibility: "auto",
  containIntrinsicHeight: "auto 36px",
  "&:hover": { background: theme.vars.palette.action.hover },
  "&[aria-selected=true]": { background: theme.vars.palette.action.selected },
  "&[data-over]": { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  "&:focus-visible": { outline: `2px solid ${theme.vars.palette.focus}`, outlineOffset: -2 },
  "@media (forced-colors: active)": { "&[aria-selected=true]": { outline: "2px solid Highlight", outlineOffset: -2 } },
  [theme.breakpoints.down("sm")]: { minHeight: 44, containIntrinsicHeight: "auto 44px" },
}));

const Toggle = styled("span")(({ theme }) => ({
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: 28,
  alignSelf: "stretch",
  color: theme.vars.palette.text.tertiary,
  "& svg": { transition: "rotate 120ms" },
  "&[data-open=true] svg": { rotate: "90deg" },
  [theme.breakpoints.down("sm")]: { width: 36 },
}));

const Words = styled("span")({ flex: 1, minWidth: 0, display: "flex", alignItems: "center", gap: 8 });

const Name = styled("span")(({ theme }) => ({
  minWidth: 0,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  fontWeight: 550,
  color: theme.vars.palette.text.primary,
}));

const More = styled("button")(({ theme }) => ({
  all: "unset",
  boxSizing: "border-box",
  display: "grid",
  placeItems: "center",
  flex: "none",
  width: 28,
  height: 28,
  marginLeft: 4,
  borderRadius: 6,
  color: theme.vars.palette.text.secondary,
  "&:hover": { background: theme.vars.palette.action.hover, color: theme.vars.palette.text.primary },
  [theme.breakpoints.down("sm")]: { width: 44, height: 44 },
}));
