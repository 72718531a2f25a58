import { createCanvas, type Canvas, type CanvasGradient, type Path2D, type SKRSContext2D } from "@napi-rs/canvas";
import type { Area } from "@terrarium/simulator/screen";
import { emptyCanvas } from "./empty-canvas.ts";
import { type Box, boxOf, intersection, isEmpty, merge } from "./box.ts";

/** a, b, c, d, e and f as `setTransform` takes them. */
type Matrix = readonly [number, number, number, number, number, number];

const style = {
  fillStyle: "#000000" as string | CanvasGradient,
  strokeStyle: "#000000",
  lineWidth: 1,
  lineCap: "butt" as CanvasLineCap,
  lineJoin: "miter" as CanvasLineJoin,
  font: "10px sans-serif",
  letterSpacing: "0px",
  globalAlpha: 1,
  shadowColor: "rgba(0,0,0,0)",
  shadowBlur: 0,
  shadowOffsetY: 0,
};
type Style = typeof style;

const common = ["globalAlpha", "shadowColor", "shadowBlur", "shadowOffsetY"] as const;
/** The parts of the style that matter to what is drawn. */
const matters = {
  fill: ["fillStyle", ...common],
  fillRect: ["fillStyle", ...common],
  fillText: ["fillStyle", "font", "letterSpacing", ...common],
  stroke: ["strokeStyle", "lineWidth", "lineCap", "lineJoin", ...common],
  drawImage: common,
} as const satisfies Record<string, readonly (keyof Style)[]>;
type Call = keyof typeof matters;

/** Methods of a canvas that add to its path, and their arguments. */
type Path = [name: string, args: readonly unknown[]][];

/** What is drawn inside a path, which is inside another. */
interface Clip {
  outer: Clip | undefined;
  matrix: Matrix;
  path: Path;
  box: Box;
}

/** Something drawn: equal ones give equal pixels. */
interface Mark {
  call: Call;
  args: readonly unknown[];
  path: Path;
  matrix: Matrix;
  clip: Clip | undefined;
  values: readonly unknown[];
  /** Outside of it, it changes nothing. */
  box: Box;
}

/** What a text takes up in dp: how far the next begins, and how far its letters reach above and below their line, and to the right. */
export interface Ink {
  width: number;
  up: number;
  down: number;
  right: number;
}

/** How far to look for the same mark among those of before. */
const MAX_SEARCH = 200;
/**
 * A picture is drawn in bands of so many rows, always the same: skia's curves differ a little by where they are cut off. And what is read of
 * a canvas costs by the canvas's size.
 */
const BAND_ROWS = 256;
/** How wide the soft edge of a surface may be, with the pixel around its box. */
const EDGE = 3;
const identity: Matrix = [1, 0, 0, 1, 0, 0];
const gradients = new Map<string, CanvasGradient>();
const MAX_GRADIENTS = 200;
/** Measures text and makes gradients, which belong to no canvas. */
export const ruler = createCanvas(1, 1).getContext("2d");

/**
 * Takes down what is drawn, as a canvas would draw it, and draws of it what differs from the picture before. A path is filled,
 * stroked or clipped with the transform that it was made with.
 */
export class Sheet {
  #style: Style = style;
  #matrix: Matrix = identity;
  #clip: Clip | undefined;
  #saved: [Style, Matrix, Clip | undefined][] = [];
  #path: Path = [];
  #reach: number[] = [];
  #whole: Box = { left: 0, top: 0, right: 0, bottom: 0 };
  #marks: Mark[] = [];
  #painted: Mark[] | undefined;
  #band: Canvas | undefined;

  /** Begins a picture of this many pixels. */
  begin(width: number, height: number): void {
    this.#whole = { left: 0, top: 0, right: width, bottom: height };
    this.#marks = [];
    this.#style = style;
    this.#matrix = identity;
    this.#clip = undefined;
    this.#saved = [];
  }

  /** Forgets what was drawn and painted, and frees its memory: all of the next picture differs. */
  forget(): void {
    this.#marks = [];
    this.#forgetPainted();
  }

  /** Draws into RGBA pixels, which are as it left them, what differs from the last picture. Returns where that is. */
  paint(pixels: Uint8Array): Area[] {
    const boxes = this.#painted ? differences(this.#painted, this.#marks, this.#whole) : [this.#whole];
    try {
      for (const box of boxes)
        for (let top = box.top - (box.top % BAND_ROWS); top < box.bottom; top += BAND_ROWS)
          this.#paintBand(pixels, top, intersection(box, { ...this.#whole, top, bottom: top + BAND_ROWS }));
    } catch (error) {
      // All is due again, on a canvas without the clips that were left on this one.
      this.#forgetPainted();
      throw error;
    }
    this.#painted = this.#marks;
    return boxes.map(({ left, top, right, bottom }) => ({
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    }));
  }

  set<Name extends keyof Style>(changes: Pick<Style, Name>): void {
    this.#style = { ...this.#style, ...changes };
  }

  get globalAlpha(): number {
    return this.#style.globalAlpha;
  }

  save(): void {
    this.#saved.push([this.#style, this.#matrix, this.#clip]);
  }

  restore(): void {
    [this.#style, this.#matrix, this.#clip] = this.#saved.pop()!;
  }

  setTransform(...matrix: Matrix): void {
    this.#matrix = matrix;
  }

  transform(...[a, b, c, d, e, f]: Matrix): void {
    const m = this.#matrix;
    this.#matrix = [
      m[0] * a + m[2] * b,
      m[1] * a + m[3] * b,
      m[0] * c + m[2] * d,
      m[1] * c + m[3] * d,
      m[0] * e + m[2] * f + m[4],
      m[1] * e + m[3] * f + m[5],
    ];
  }

  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y);
  }

  scale(x: number, y: number): void {
    this.transform(x, 0, 0, y, 0, 0);
  }

  rotate(angle: number): void {
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    this.transform(cos, sin, -sin, cos, 0, 0);
  }

  beginPath(): void {
    this.#path = [];
    this.#reach = [];
  }

  closePath(): void {
    this.#add("closePath", [], []);
  }

  moveTo(...to: [x: number, y: number]): void {
    this.#add("moveTo", to, to);
  }

  lineTo(...to: [x: number, y: number]): void {
    this.#add("lineTo", to, to);
  }

  bezierCurveTo(...points: [x1: number, y1: number, x2: number, y2: number, x: number, y: number]): void {
    this.#add("bezierCurveTo", points, points);
  }

  arc(...args: [x: number, y: number, radius: number, from: number, to: number, backwards?: boolean]): void {
    const [x, y, radius] = args;
    this.#add("arc", args, [x - radius, y - radius, x + radius, y + radius]);
  }

  /** Half of its width and of its height around a point. */
  ellipse(x: number, y: number, across: number, down: number): void {
    this.#add("ellipse", [x, y, across, down, 0, 0, Math.PI * 2], [x - across, y - down, x + across, y + down]);
  }

  rect(...args: [x: number, y: number, width: number, height: number]): void {
    const [x, y, width, height] = args;
    this.#add("rect", args, [x, y, x + width, y + height]);
  }

  roundRect(...args: [x: number, y: number, width: number, height: number, radius: number | number[]]): void {
    const [x, y, width, height] = args;
    this.#add("roundRect", args, [x, y, x + width, y + height]);
  }

  #add(name: string, args: readonly unknown[], reach: readonly number[]): void {
    this.#path.push([name, args]);
    this.#reach.push(...reach);
  }

  clip(): void {
    const box = intersection(boxOf(this.#reach, this.#matrix), this.#clip?.box ?? this.#whole);
    this.#clip = { outer: this.#clip, matrix: this.#matrix, path: this.#path, box };
  }

  fill(rule: "nonzero" | "evenodd" = "nonzero"): void {
    this.#mark("fill", [rule], this.#reach, 0);
  }

  stroke(): void {
    this.#mark("stroke", [], this.#reach, this.#style.lineWidth);
  }

  /** Fills a glyph of a grid of this size, or strokes it. */
  glyph(call: "fill" | "stroke", path: Path2D, size: number): void {
    this.beginPath();
    this.#mark(call, call === "fill" ? [path, "evenodd"] : [path], [0, 0, size, size], this.#style.lineWidth);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.#mark("fillRect", [x, y, width, height], [x, y, x + width, y + height], 0);
  }

  /** One line from `x`, on `y`, in letters of `size`; stacked marks may reach further. */
  fillText(text: string, x: number, y: number, size: number, { width, up, down, right }: Ink): void {
    this.beginPath();
    const reach = [x, y - Math.max(size, up), x + Math.max(width, right), y + Math.max(0, down)];
    this.#mark("fillText", [text, x, y], reach, size / 2);
  }

  drawImage(canvas: Canvas, x: number, y: number): void {
    this.beginPath();
    this.#mark("drawImage", [canvas, x, y], [x, y, x + canvas.width, y + canvas.height], 0);
  }

  /** `room`: how far it may go beyond its reach, which is of x and y by turns. */
  #mark(call: Call, args: readonly unknown[], reach: readonly number[], room: number): void {
    const { shadowBlur, shadowOffsetY } = this.#style;
    const shadow = shadowBlur > 0 ? shadowBlur * 3 + Math.abs(shadowOffsetY) : 0;
    const box = intersection(boxOf(reach, this.#matrix, room, shadow), this.#clip?.box ?? this.#whole);
    if (isEmpty(box)) return;
    const values = matters[call].map((name) => this.#style[name]);
    this.#marks.push({ call, args, path: this.#path, matrix: this.#matrix, clip: this.#clip, values, box });
  }

  /** Draws `box` of the band that begins at `top`. */
  #paintBand(pixels: Uint8Array, top: number, box: Box): void {
    const { right: width } = this.#whole;
    if (this.#band?.width !== width) this.#dropBand();
    const g = (this.#band ??= createCanvas(width, BAND_ROWS)).getContext("2d");
    const [x, y, across, down] = [box.left, box.top - top, box.right - box.left, box.bottom - box.top];
    g.save();
    g.clearRect(x, y, across, down);
    g.save();
    let clip: Clip | undefined;
    let current: Partial<Record<keyof Style, unknown>> = {};
    for (const mark of this.#marks) {
      if (isEmpty(intersection(mark.box, box))) continue;
      if (mark.clip !== clip) {
        g.restore();
        g.save();
        current = {};
        applyClip(g, top, (clip = mark.clip));
      }
      for (const [index, name] of matters[mark.call].entries()) {
        const value = mark.values[index];
        if (current[name] !== value) Object.assign(g, { [name]: (current[name] = value) });
      }
      // Plain surfaces cost by their size, and are the same where they are cut off. Edges and curves would not be: they go beyond the box.
      const isPlain = mark.call === "fillRect" || mark.call === "drawImage";
      const isCut = isPlain && covers(mark.box, box, this.#whole);
      if (isCut) {
        g.save();
        trace(g, identity, [["rect", [x, y, across, down]]], 0);
        g.clip();
      }
      trace(g, mark.matrix, mark.path, top);
      (g[mark.call] as (...args: readonly unknown[]) => void)(...mark.args);
      if (isCut) g.restore();
    }
    g.restore();
    g.restore();
    const { data } = g.getImageData(x, y, across, down);
    for (let row = 0; row < down; row++)
      pixels.set(data.subarray(row * across * 4, (row + 1) * across * 4), ((box.top + row) * width + x) * 4);
    // Otherwise it is freed at some collection.
    (data.buffer as ArrayBuffer).transfer(0);
  }

  #forgetPainted(): void {
    this.#painted = undefined;
    this.#dropBand();
  }

  #dropBand(): void {
    if (this.#band) emptyCanvas(this.#band);
    this.#band = undefined;
  }
}

/** Whether the edges of a mark lie outside of a box, or of the picture. */
const covers = (mark: Box, box: Box, whole: Box): boolean =>
  (box.left === 0 || mark.left + EDGE <= box.left) &&
  (box.top === 0 || mark.top + EDGE <= box.top) &&
  (box.right === whole.right || mark.right - EDGE >= box.right) &&
  (box.bottom === whole.bottom || mark.bottom - EDGE >= box.bottom);

function applyClip(g: SKRSContext2D, top: number, clip: Clip | undefined): void {
  if (!clip) return;
  applyClip(g, top, clip.outer);
  trace(g, clip.matrix, clip.path, top);
  g.clip();
}

/** Sets transform and path on a canvas that begins at row `top`. */
function trace(g: SKRSContext2D, [a, b, c, d, e, f]: Matrix, path: Path, top: number): void {
  g.setTransform(a, b, c, d, e, f - top);
  if (path.length > 0) g.beginPath();
  for (const [name, args] of path)
    (g as unknown as Record<string, (...args: readonly unknown[]) => void>)[name]!(...args);
}

/** Where a mark of one list is not in the other, in the same order. */
function differences(before: readonly Mark[], after: readonly Mark[], whole: Box): Box[] {
  const boxes: Box[] = [];
  let next = 0;
  for (const mark of after) {
    if (boxes.length === 1 && isSameBox(boxes[0]!, whole)) return boxes;
    const end = Math.min(before.length, next + MAX_SEARCH);
    let at = next;
    while (at < end && !isSame(mark, before[at]!)) at++;
    if (at === end) merge(boxes, mark.box);
    else {
      while (next < at) merge(boxes, before[next++]!.box);
      next++;
    }
  }
  for (const mark of before.slice(next)) merge(boxes, mark.box);
  return boxes;
}

function isSame(one: Mark, other: Mark): boolean {
  return (
    // This tells most of them apart.
    isSameBox(one.box, other.box) &&
    one.call === other.call &&
    areSame(one.args, other.args) &&
    areSame(one.matrix, other.matrix) &&
    areSame(one.values, other.values) &&
    areSame(one.path, other.path) &&
    isSameClip(one.clip, other.clip)
  );
}

const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;

function isSameClip(one: Clip | undefined, other: Clip | undefined): boolean {
  if (!one || !other || one === other) return one === other;
  return areSame(one.matrix, other.matrix) && areSame(one.path, other.path) && isSameClip(one.outer, other.outer);
}

const areSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length &&
  one.every((value, index) => {
    const against = other[index];
    return value === against || (Array.isArray(value) && Array.isArray(against) && areSame(value, against));
  });

/** A fade between two colours, along a line or out of a point; the same for the same arguments. */
export function gradient(
  kind: "Linear" | "Radial",
  place: readonly number[],
  from: string,
  to: string,
): CanvasGradient {
  const key = `${kind} ${place.join(" ")} ${from} ${to}`;
  let known = gradients.get(key);
  if (known) return known;
  known =
    kind === "Linear"
      ? ruler.createLinearGradient(...(place as [number, number, number, number]))
      : ruler.createRadialGradient(...(place as [number, number, number, number, number, number]));
  known.addColorStop(0, from);
  known.addColorStop(1, to);
  if (gradients.size >= MAX_GRADIENTS) gradients.clear();
  gradients.set(key, known);
  return known;
}
