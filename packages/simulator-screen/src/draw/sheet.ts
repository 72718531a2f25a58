import type { Canvas, Path2D } from "@napi-rs/canvas";
import type { Area } from "@terrarium/simulator/screen";
import { Bands } from "./bands.ts";
import { type Box, boxOf, intersection, isEmpty } from "./box.ts";
import { differences } from "./differences.ts";
import {
  type Call,
  type Clip,
  identity,
  type Ink,
  type Mark,
  type Matrix,
  matters,
  type Path,
  style,
  type Style,
} from "./mark.ts";

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
  readonly #bands = new Bands();

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
      this.#bands.paint(this.#marks, pixels, boxes, this.#whole);
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

  #forgetPainted(): void {
    this.#painted = undefined;
    this.#bands.drop();
  }
}
