import type { UiNode } from "@terrarium/contract";

/** Something on a screen that can be named or touched. */
export interface Element {
  /** As it stands in the picture and in the list, from 1. */
  number: number;
  /** The last part of Android's class: `Button`. */
  kind: string;
  label: string;
  flags: readonly string[];
  /** Left, top, right and bottom, in pixels of the display. */
  bounds: UiNode["bounds"];
}

/** More are left out: nobody could distinguish them on a picture. */
const MAX_ELEMENTS = 80;
/** An app says what it likes. */
const MAX_LABEL_CHARS = 200;
const TOUCHABLE = ["clickable", "long-clickable", "checkable", "scrollable"];

/** What is on the screen, from top to bottom; what only holds others, or lies outside the screen, is left out. */
export function elementsOf(root: UiNode, { width, height }: { width: number; height: number }): Element[] {
  const found: Element[] = [];
  /** @param said the name of the row around it, which is not repeated */
  const visit = (node: UiNode, said: ReadonlySet<string>): void => {
    if (found.length >= MAX_ELEMENTS) return;
    const [left, top, right, bottom] = node.bounds;
    const isSeen = right > left && bottom > top && left < width && top < height && right > 0 && bottom > 0;
    const flags = node.flags ?? [];
    const isTouchable = flags.some((flag) => TOUCHABLE.includes(flag));
    const own = labelOf(node);
    const within = isSeen && isTouchable && !own ? labelsWithin(node) : [];
    if (isSeen && (isTouchable || (own && (flags.length > 0 || !said.has(own))))) {
      const kind = (node.class.split(".").at(-1) ?? node.class).slice(0, MAX_LABEL_CHARS);
      const label = own || within.join(", ");
      found.push({ number: found.length + 1, kind, label, flags, bounds: node.bounds });
    }
    const saidBelow = within.length > 0 ? new Set(within) : said;
    node.children?.forEach((child) => visit(child, saidBelow));
  };
  visit(root, new Set());
  return found;
}

const labelOf = ({ text, description, hint }: UiNode): string =>
  (text ?? description ?? hint ?? "").slice(0, MAX_LABEL_CHARS);

/** A row without words of its own is called by what stands in it. */
function labelsWithin(node: UiNode): string[] {
  const labels: string[] = [];
  let length = 0;
  const visit = (child: UiNode): void => {
    if (length >= MAX_LABEL_CHARS) return;
    const label = labelOf(child);
    if (label) {
      labels.push(label);
      length += label.length;
    } else child.children?.forEach(visit);
  };
  node.children?.forEach(visit);
  return labels;
}

export const centreOf = ({ bounds: [left, top, right, bottom] }: Pick<Element, "bounds">) => ({
  x: Math.round((left + right) / 2),
  y: Math.round((top + bottom) / 2),
});

/** `[3] Button "Sign in" at 540,1210 (clickable)` */
export function lineOf(element: Element): string {
  const { x, y } = centreOf(element);
  const flags = element.flags.length > 0 ? ` (${element.flags.join(", ")})` : "";
  return `[${element.number}] ${element.kind} ${JSON.stringify(element.label)} at ${x},${y}${flags}`;
}
