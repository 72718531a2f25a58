import type { UiNode } from "@terrarium/contract";
import type { PictureSize } from "@terrarium/sdk/display";
import type { TreeItem } from "../../../components/tree/tree-rows.ts";

/** All that is on it. */
export interface UiTree {
  /** The display's pixels as it is held. */
  width: number;
  height: number;
  root: UiNode;
  /** There are more nodes than these. */
  isCut: boolean;
}

export type UiItem = TreeItem<UiNode>;

export const has = ({ flags }: UiNode, flag: string): boolean => flags?.includes(flag) ?? false;

/** `android.widget.TextView` is a TextView. */
export const shortClass = (node: UiNode): string => node.class.slice(node.class.lastIndexOf(".") + 1);

/** `com.example:id/title` is a title. */
export const shortId = ({ id = "" }: UiNode): string => id.slice(id.lastIndexOf("/") + 1);

/** Each thing with its place in the tree for an id: the third thing in the first one is `0.2`. */
export function itemsOf(root: UiNode, id = "0"): UiItem {
  const name = root.text ?? root.description ?? root.hint ?? (shortId(root) || shortClass(root));
  const children = (root.children ?? []).map((child, at) => itemsOf(child, `${id}.${at}`));
  return { id, name: name.replaceAll(/\s+/g, " "), data: root, children };
}

export function nodeAt(root: UiNode, id: string | undefined): UiNode | undefined {
  if (id === undefined) return undefined;
  let node: UiNode | undefined = root;
  for (const at of id.split(".").slice(1)) node = node?.children?.[Number(at)];
  return node;
}

const areaOf = ({ bounds: [left, top, right, bottom] }: UiNode) => (right - left) * (bottom - top);

/** The id of the smallest thing at a place of the display; of two that are as large, the inner one. */
export function idAtPoint(root: UiNode, x: number, y: number): string | undefined {
  let found: { id: string; area: number } | undefined;
  const look = (node: UiNode, id: string) => {
    const [left, top, right, bottom] = node.bounds;
    const area = areaOf(node);
    if (x >= left && x < right && y >= top && y < bottom && area <= (found?.area ?? area)) found = { id, area };
    // What lies in something may reach beyond it.
    node.children?.forEach((child, at) => look(child, `${id}.${at}`));
  };
  look(root, "0");
  return found?.id;
}

/** Whether tree and picture are of the device held in the same way. */
export const areInStep = ({ width, height }: UiTree, picture: PictureSize | undefined): boolean =>
  picture === undefined || width === height || width > height === picture.width > picture.height;

/** A thing's box as parts of the picture. */
export function boxOf({ bounds: [left, top, right, bottom] }: UiNode, { width, height }: UiTree) {
  const part = (pixels: number, all: number) => `${(pixels / all) * 100}%`;
  return {
    left: part(left, width),
    top: part(top, height),
    width: part(right - left, width),
    height: part(bottom - top, height),
  };
}

/** What finds a thing again in a test, by the tool that takes it. */
export function selectorsOf(root: UiNode, id: string): { xpath: string; uiSelector: string; tap: string } {
  const node = nodeAt(root, id) ?? root;
  const [left, top, right, bottom] = node.bounds;
  const said = [
    ["resource-id", "resourceId", node.id],
    ["content-desc", "description", node.description],
    ["text", "text", node.text],
  ] as const;
  const [attribute, method, value] = said.find(([, , each]) => each !== undefined) ?? [];
  const byClass = `new UiSelector().className(${JSON.stringify(node.class)})`;
  return {
    xpath: attribute && value !== undefined ? `//${node.class}[@${attribute}=${quoted(value)}]` : pathOf(root, id),
    uiSelector: method ? `new UiSelector().${method}(${JSON.stringify(value)})` : byClass,
    tap: `adb shell input tap ${Math.round((left + right) / 2)} ${Math.round((top + bottom) / 2)}`,
  };
}

/** XPath has no way to write a quote within quotes of its kind. */
const quoted = (text: string): string => {
  if (!text.includes('"')) return `"${text}"`;
  if (!text.includes("'")) return `'${text}'`;
  return `concat(${text
    .split('"')
    .map((part) => `"${part}"`)
    .join(`, '"', `)})`;
};

/** From the top, by class and by the place among those of the same class. */
function pathOf(root: UiNode, id: string): string {
  let node = root;
  const steps = [`/hierarchy/${root.class}`];
  for (const at of id.split(".").slice(1)) {
    const { children = [] } = node;
    const child = children[Number(at)];
    if (!child) break;
    const same = children.filter((each) => each.class === child.class);
    steps.push(same.length > 1 ? `${child.class}[${same.indexOf(child) + 1}]` : child.class);
    node = child;
  }
  return steps.join("/");
}
