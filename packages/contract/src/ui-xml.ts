import type { UiNode } from "./ui-node.ts";

const MAX_NODES = 5_000;
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 64;
const MAX_TEXT_CHARS = 1_000;

const flags = [
  "checkable",
  "checked",
  "clickable",
  "focusable",
  "focused",
  "scrollable",
  "long-clickable",
  "password",
  "selected",
];

const DECLARATION = /\s*<\?xml[^<>]*\?>/y;
const TAG = /\s*<(\/?)(hierarchy|node)/y;
const ATTRIBUTE = /\s+([\w:.-]+)=(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;
const BOUNDS = /^\[(-?\d{1,6}),(-?\d{1,6})\]\[(-?\d{1,6}),(-?\d{1,6})\]$/;

/**
 * Reads what `uiautomator dump` writes, and nothing more of XML: no document type, so that nothing is expanded, no comments, no text.
 * Beyond 5,000 nodes or 100 levels it is cut, which the result says. Throws if it is anything else.
 */
export function parseUiXml(xml: string): { root: UiNode; rotation: number; isCut: boolean } {
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(xml);
    if (found) at = pattern.lastIndex;
    return found;
  };
  next(DECLARATION);
  /** The children of what is open, the outermost first; undefined for what is cut. */
  const open: (UiNode | undefined)[] = [];
  const [top, packages]: [UiNode[], string[]] = [[], []];
  let [count, rotation, isCut, isDone] = [0, 0, false, false];
  while (!isDone) {
    const [, closes, name] = next(TAG) ?? [];
    if (name === undefined || (name === "hierarchy") !== (closes ? open.length === 1 : open.length === 0))
      throw new SyntaxError(`not a tree at ${at}`);
    const attributes = new Map<string, string>();
    for (let found = closes ? null : next(ATTRIBUTE); found; found = next(ATTRIBUTE)) {
      if (attributes.size >= MAX_ATTRIBUTES) throw new RangeError("too many attributes");
      attributes.set(found[1] ?? "", decoded(found[2] ?? found[3] ?? ""));
    }
    const end = next(TAG_END);
    if (!end || (closes && end[1])) throw new SyntaxError(`not a tree at ${at}`);
    if (closes) {
      open.pop();
      packages.pop();
    } else {
      let node: UiNode | undefined;
      const of = attributes.get("package") ?? "";
      if (name === "hierarchy") rotation = Number(/^[0-3]$/.exec(attributes.get("rotation") ?? "")?.[0] ?? 0);
      else if (count < MAX_NODES && open.length <= MAX_DEPTH) {
        count++;
        node = nodeOf(attributes, of === packages.at(-1) ? "" : of);
        const parent = open.at(-1);
        if (open.length === 1) top.push(node);
        else if (parent) (parent.children ??= []).push(node);
      } else isCut = true;
      if (!end[1]) {
        open.push(node);
        packages.push(of);
      }
    }
    isDone = open.length === 0;
  }
  const [root] = top;
  if (!root) throw new SyntaxError("there is nothing in it");
  // Newer versions may list several windows.
  return { root: top.length === 1 ? root : { ...around(top), children: top }, rotation, isCut };
}

function nodeOf(attributes: ReadonlyMap<string, string>, packageName: string): UiNode {
  const text = (name: string) => attributes.get(name)?.slice(0, MAX_TEXT_CHARS) || undefined;
  const said = {
    id: text("resource-id"),
    text: text("text"),
    description: text("content-desc"),
    hint: text("hint"),
    package: packageName.slice(0, MAX_TEXT_CHARS) || undefined,
  };
  const [left = 0, top = 0, right = 0, bottom = 0] = (BOUNDS.exec(attributes.get("bounds") ?? "") ?? [])
    .slice(1)
    .map(Number);
  const set = flags.filter((flag) => attributes.get(flag) === "true");
  if (attributes.get("enabled") === "false") set.push("disabled");
  return {
    class: text("class") ?? "android.view.View",
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    bounds: [left, top, right, bottom],
    ...(set.length > 0 && { flags: set }),
  };
}

const around = (nodes: readonly UiNode[]): UiNode => ({
  class: "android.view.View",
  bounds: [
    Math.min(...nodes.map(({ bounds }) => bounds[0])),
    Math.min(...nodes.map(({ bounds }) => bounds[1])),
    Math.max(...nodes.map(({ bounds }) => bounds[2])),
    Math.max(...nodes.map(({ bounds }) => bounds[3])),
  ],
});

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name as string] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
