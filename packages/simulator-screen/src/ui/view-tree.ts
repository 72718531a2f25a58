import type { ViewNode } from "@terrarium/simulator/screen";
import { contains, intersect, midX, midY, type Rect } from "../draw/rect.ts";
import type { Hit, PaintedText } from "./hit.ts";

/** A node before it is put in the tree: its place in dp and its position in the order of painting. */
interface Item {
  place: Rect;
  order: number;
  node: ViewNode;
}

/** What the picture shows, as a tree. A thing's parent is the smallest one around it that was painted before it. */
export function viewTree(
  { hits, texts, focus }: { hits: readonly Hit[]; texts: readonly PaintedText[]; focus: string | undefined },
  screen: Rect,
  pixelsPerDp: number,
): ViewNode {
  /** Whether something opaque was painted later over the middle of a place. */
  const isCovered = (place: Rect, order: number) =>
    hits.slice(order).some((hit) => hit.blocks && contains(hit.visible, midX(place), midY(place)));
  const root: Item = { place: screen, order: -1, node: nodeAt("android.widget.FrameLayout", screen, pixelsPerDp) };
  const items: Item[] = [];
  for (const [index, hit] of hits.entries()) {
    const place = intersect(hit.visible, screen);
    const isControl = hit.tap ?? hit.hold ?? hit.down ?? hit.follow ?? hit.scroll;
    if (!isControl || place.w <= 0 || place.h <= 0 || isCovered(place, index + 1)) continue;
    items.push({ place, order: index, node: hitNode(hit, place, pixelsPerDp, focus) });
  }
  for (const { text, visible, after } of texts) {
    const place = intersect(visible, screen);
    // A text over its shadow is one.
    if (items.some((item) => item.node.text === text && areNear(item.place, place))) continue;
    if (text.trim() === "" || place.w <= 0 || place.h <= 0 || isCovered(place, after)) continue;
    const node = nodeAt("android.widget.TextView", place, pixelsPerDp);
    items.push({ place, order: after - 0.5, node: { ...node, text } });
  }
  const ordered = items.toSorted((a, b) => a.order - b.order);
  for (const [index, item] of ordered.entries()) {
    const around = ordered.slice(0, index).filter(({ place }) => isInside(item.place, place));
    const parent = around.reduce((best, one) => (area(one.place) <= area(best.place) ? one : best), root);
    parent.node.children.push(item.node);
  }
  for (const { node } of [root, ...items]) {
    // What is painted last may stand first, as Android's views do.
    node.children.sort((a, b) => a.bounds.top - b.bounds.top || a.bounds.left - b.bounds.left);
    if (node.className === EDIT_TEXT) {
      node.text = node.children.map(({ text }) => text).join("\n");
      node.children = [];
    } else if (node.className === "android.widget.LinearLayout" && node.children.length === 0)
      node.className = "android.widget.ImageButton";
  }
  return root.node;
}

const EDIT_TEXT = "android.widget.EditText";

const area = (r: Rect): number => r.w * r.h;

/** As far as a shadow is from what throws it. */
const areNear = (a: Rect, b: Rect): boolean => Math.abs(a.x - b.x) + Math.abs(a.y - b.y) <= 4;

/** Half a dp of tolerance: places are computed, not measured. */
const isInside = (inner: Rect, outer: Rect): boolean =>
  inner.x >= outer.x - 0.5 &&
  inner.y >= outer.y - 0.5 &&
  inner.x + inner.w <= outer.x + outer.w + 0.5 &&
  inner.y + inner.h <= outer.y + outer.h + 0.5;

function nodeAt(className: string, place: Rect, pixelsPerDp: number): ViewNode {
  const pixels = (dp: number) => Math.round(dp * pixelsPerDp);
  return {
    className,
    id: "",
    text: "",
    description: "",
    clickable: false,
    longClickable: false,
    scrollable: false,
    focused: false,
    checked: undefined,
    bounds: {
      left: pixels(place.x),
      top: pixels(place.y),
      right: pixels(place.x + place.w),
      bottom: pixels(place.y + place.h),
    },
    children: [],
  };
}

function hitNode(hit: Hit, place: Rect, pixelsPerDp: number, focus: string | undefined): ViewNode {
  const className = hit.edits
    ? EDIT_TEXT
    : hit.scroll
      ? `android.widget.${hit.scroll.axis === "y" ? "" : "Horizontal"}ScrollView`
      : hit.checked === undefined
        ? "android.widget.LinearLayout"
        : "android.widget.Switch";
  return {
    ...nodeAt(className, place, pixelsPerDp),
    id: hit.id,
    description: hit.label ?? "",
    clickable: (hit.tap ?? hit.down ?? hit.follow) !== undefined,
    longClickable: hit.hold !== undefined,
    scrollable: hit.scroll !== undefined && hit.scroll.scroller.max > 0,
    focused: hit.edits?.isActive ?? hit.id === focus,
    checked: hit.checked,
  };
}
