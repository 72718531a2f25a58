import type { UiNode } from "@terrarium/contract";
import { has, shortClass, shortId } from "./ui-node.ts";

type ReadingKind =
  | "button"
  | "checkbox"
  | "switch"
  | "radio"
  | "field"
  | "heading"
  | "image"
  | "text"
  | "list"
  | "scroll";

/** One thing as a screen reader says it. */
export interface Reading {
  /** The same for the same thing as long as it is on the screen. */
  key: string;
  kind: ReadingKind;
  /** Empty for what its app does not name. */
  name: string;
  node: UiNode;
  isChecked?: boolean;
  /** Of a list. */
  items?: Reading[][];
}

/** A row of a list says a few things, each of which is part of its name. */
const MAX_WORDS = 8;

type Found = Omit<Reading, "key" | "items"> & { items?: Found[][] };

const BUTTON = /Button$|^Chip$|ActionMenuItemView$|^TabView$/;
const FIELD = /EditText$|AutoCompleteTextView$|^SearchAutoComplete$/;
const LIST = /ListView$|RecyclerView$|GridView$/;
const SWITCH = /Switch(?:Compat|Material)?$|ToggleButton$/;
/** Android's dump does not mark headings; bars and titles have such ids everywhere. */
const HEADING_ID =
  /^(?:alertTitle|(?:action_bar|toolbar|page|dialog|collapsing|header|section)_?(?:title|text)|heading)$/i;
const HORIZONTAL = /^Horizontal|Pager/;
const BAR = /Toolbar$|ActionBar$|CollapsingToolbarLayout$/;

/** What is on a screen in the order in which it is read, each thing that can be used once, and nothing that says nothing. */
export function readingOf(root: UiNode): Reading[] {
  const counts = new Map<string, number>();
  const keyed = ({ items, ...found }: Found): Reading => {
    const what = `${found.kind} ${found.node.id ?? ""} ${found.kind === "field" ? "" : found.name}`;
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return {
      ...found,
      key: `${what} ${count}`,
      ...(items && { items: items.map((item) => item.map((each) => keyed(each))) }),
    };
  };
  return read(root, false).map((found) => keyed(found));
}

function read(node: UiNode, isInBar: boolean): Found[] {
  const [left, top, right, bottom] = node.bounds;
  const { children = [] } = node;
  const isBar = isInBar || BAR.test(shortClass(node));
  const below = () => children.flatMap((child) => read(child, isBar));
  if (right <= left || bottom <= top) return below();
  const kind = kindOf(node);
  if (kind === "field") return [{ kind, name: fieldName(node), node }];
  if (kind) return [controlOf(node, kind), ...below().filter((found) => isUsable(found))];
  const scroll: Found[] =
    has(node, "scrollable") && !HORIZONTAL.test(shortClass(node)) ? [{ kind: "scroll", name: "", node }] : [];
  if (LIST.test(shortClass(node))) {
    const items = children.map((child) => read(child, isBar)).filter((item) => item.length > 0);
    if (items.length > 0) return [{ kind: "list", name: node.description ?? "", node, items }, ...scroll];
  }
  const name = node.text ?? node.description;
  if (name === undefined) return [...below(), ...scroll];
  const isImage = /Image/.test(shortClass(node));
  const isHeading = HEADING_ID.test(shortId(node)) || isInBar;
  return [{ kind: isHeading ? "heading" : isImage ? "image" : "text", name, node }, ...below()];
}

function kindOf(node: UiNode): "button" | "checkbox" | "switch" | "radio" | "field" | undefined {
  const name = shortClass(node);
  if (FIELD.test(name)) return "field";
  if (has(node, "checkable")) return SWITCH.test(name) ? "switch" : name.endsWith("RadioButton") ? "radio" : "checkbox";
  const isNamed = (node.text ?? node.description) !== undefined;
  if (BUTTON.test(name) || (isNamed && has(node, "clickable"))) return "button";
  // A whole page that can be pressed is still a page.
  return has(node, "clickable") && wordsIn(node).length <= MAX_WORDS ? "button" : undefined;
}

/** What can be pressed, with the name and the state of what lies in it: a row of settings is one switch. */
function controlOf(node: UiNode, kind: Exclude<ReturnType<typeof kindOf>, "field" | undefined>): Found {
  const name =
    node.text ?? node.description ?? ([...new Set(wordsIn(node))].join(", ") || shortId(node).replaceAll("_", " "));
  const checks = kind === "button" ? marksIn(node) : [];
  const [mark] = checks;
  const marked = checks.length === 1 && mark ? kindOf(mark) : undefined;
  if (mark && (marked === "switch" || marked === "checkbox" || marked === "radio"))
    return { kind: marked, name, node, isChecked: has(mark, "checked") };
  return { kind, name, node, ...(kind !== "button" && { isChecked: has(node, "checked") }) };
}

/** What lies in a thing that can be pressed, and is pressed with it, is not read again. */
const isUsable = ({ kind, node }: Found): boolean => kind === "field" || kind === "list" || has(node, "clickable");

const isOwn = (node: UiNode): boolean => !has(node, "clickable") && kindOf(node) !== "field";

/** The words in a thing, without those of what is used for itself. */
const wordsIn = ({ children = [] }: UiNode): string[] =>
  children
    .filter((child) => isOwn(child))
    .flatMap((child) => {
      const own = child.text ?? child.description;
      return [...(own === undefined || SWITCH.test(shortClass(child)) ? [] : [own]), ...wordsIn(child)];
    });

/** What in it shows whether it is on. */
const marksIn = ({ children = [] }: UiNode): UiNode[] =>
  children.filter((child) => isOwn(child)).flatMap((child) => (has(child, "checkable") ? [child] : marksIn(child)));

const fieldName = (node: UiNode): string => node.description ?? node.hint ?? shortId(node).replaceAll("_", " ");

/** All that is said, each thing once. */
export const wordsOf = (readings: readonly Reading[]): string[] =>
  readings.flatMap(({ name, items = [] }) => [
    ...(name === "" ? [] : [name]),
    ...items.flatMap((item) => wordsOf(item)),
  ]);
