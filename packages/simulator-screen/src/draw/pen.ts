import { Path2D, type Canvas } from "@napi-rs/canvas";
import { icons, type IconName } from "./icons.ts";
import { midX, midY, rect, type Rect } from "./rect.ts";
import { gradient } from "./mark.ts";
import type { Sheet } from "./sheet.ts";
import { drawText, measure, wrap, type Line, type TextStyle } from "./text.ts";

const paths = new Map<IconName, Path2D>();

/** Draws in dp on a sheet of pixels. */
export class Pen {
  readonly g: Sheet;
  /** Pixels per dp. */
  readonly scale: number;
  /** What the user chose for text, 1 is normal. */
  fontScale = 1;
  /** Called for each text that is drawn, with its place. */
  onText: ((text: string, place: Rect) => void) | undefined;

  constructor(g: Sheet, scale: number) {
    this.g = g;
    this.scale = scale;
    g.setTransform(scale, 0, 0, scale, 0, 0);
  }

  fill(r: Rect, color: string): void {
    this.g.set({ fillStyle: color });
    this.g.fillRect(r.x, r.y, r.w, r.h);
  }

  /** A horizontal or vertical fade between colours. */
  fade(r: Rect, from: string, to: string, across = false): void {
    const line = across ? [r.x, 0, r.x + r.w, 0] : [0, r.y, 0, r.y + r.h];
    this.g.set({ fillStyle: gradient("Linear", line, from, to) });
    this.g.fillRect(r.x, r.y, r.w, r.h);
  }

  round(r: Rect, radius: number | number[], color: string): void {
    this.g.set({ fillStyle: color });
    this.g.beginPath();
    this.g.roundRect(r.x, r.y, r.w, r.h, radius);
    this.g.fill();
  }

  outline(r: Rect, radius: number, color: string, width = 1): void {
    this.g.set({ strokeStyle: color, lineWidth: width });
    this.g.beginPath();
    this.g.roundRect(r.x, r.y, r.w, r.h, radius);
    this.g.stroke();
  }

  circle(x: number, y: number, radius: number, color: string): void {
    this.g.set({ fillStyle: color });
    this.g.beginPath();
    this.g.arc(x, y, radius, 0, Math.PI * 2);
    this.g.fill();
  }

  ring(
    at: { x: number; y: number; radius: number },
    color: string,
    width: number,
    part: [number, number] = [0, 1],
  ): void {
    this.g.set({ strokeStyle: color, lineWidth: width, lineCap: "round" });
    this.g.beginPath();
    const turn = (t: number) => (t - 0.25) * Math.PI * 2;
    this.g.arc(at.x, at.y, at.radius, turn(part[0]), turn(part[1]));
    this.g.stroke();
  }

  line(points: [number, number][], color: string, width: number): void {
    this.g.set({ strokeStyle: color, lineWidth: width, lineCap: "round", lineJoin: "round" });
    this.g.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? this.g.moveTo(x, y) : this.g.lineTo(x, y)));
    this.g.stroke();
  }

  /** The soft shadow of a raised surface, and the surface. */
  raised(r: Rect, radius: number, color: string, height = 4): void {
    this.g.save();
    const [shadowBlur, shadowOffsetY] = [height * 2 * this.scale, height * 0.6 * this.scale];
    this.g.set({ shadowColor: "rgba(0,0,0,0.28)", shadowBlur, shadowOffsetY });
    this.round(r, radius, color);
    this.g.restore();
  }

  /** Text with the middle of its capitals on `y`; `size` grows with the font scale. */
  text(text: string, x: number, y: number, style: TextStyle): number {
    const scaled = this.#scaled(style);
    const width = drawText(this.g, text, { x, y }, scaled);
    const left = x - (style.align === "center" ? width / 2 : style.align === "right" ? width : 0);
    this.onText?.(text, rect(left, y - scaled.size * 0.6, width, scaled.size * 1.2));
    return width;
  }

  width(text: string, style: TextStyle): number {
    return measure(text, this.#scaled(style));
  }

  lines(text: string, style: TextStyle, width: number): Line[] {
    return wrap(text, this.#scaled(style), width);
  }

  /** Wrapped text from the top of `r`. Returns its height. */
  paragraph(text: string, r: Rect, style: TextStyle): number {
    const step = style.size * this.fontScale * 1.42;
    const lines = this.lines(text, style, r.w);
    const x = style.align === "center" ? midX(r) : r.x;
    lines.forEach((line, i) => this.text(line.text.trimEnd(), x, r.y + step * (i + 0.5), style));
    return lines.length * step;
  }

  /** A glyph of the 24-unit grid, centred in `r`. */
  icon(name: IconName, r: Rect, color: string, stroke = 2): void {
    const icon = icons[name];
    let path = paths.get(name);
    if (!path) paths.set(name, (path = new Path2D(icon.d)));
    const size = Math.min(r.w, r.h);
    this.g.save();
    this.g.translate(midX(r) - size / 2, midY(r) - size / 2);
    this.g.scale(size / 24, size / 24);
    if ("fill" in icon) {
      this.g.set({ fillStyle: color });
      this.g.glyph("fill", path, 24);
    } else {
      this.g.set({ strokeStyle: color, lineWidth: stroke, lineCap: "round", lineJoin: "round" });
      this.g.glyph("stroke", path, 24);
    }
    this.g.restore();
  }

  /** A picture of the screen's own size over all of it, pixel by pixel: to scale it would cost twice as much. */
  backdrop(canvas: Canvas): void {
    this.g.save();
    this.g.setTransform(1, 0, 0, 1, 0, 0);
    this.g.drawImage(canvas, 0, 0);
    this.g.restore();
  }

  /** Runs `draw` clipped to a (rounded) rectangle. */
  clipped(r: Rect, radius: number, draw: () => void): void {
    this.g.save();
    this.g.beginPath();
    if (radius > 0) this.g.roundRect(r.x, r.y, r.w, r.h, radius);
    else this.g.rect(r.x, r.y, r.w, r.h);
    this.g.clip();
    draw();
    this.g.restore();
  }

  /** Runs `draw` with everything in it partly see-through. */
  faded(opacity: number, draw: () => void): void {
    const before = this.g.globalAlpha;
    this.g.set({ globalAlpha: before * Math.min(1, Math.max(0, opacity)) });
    draw();
    this.g.set({ globalAlpha: before });
  }

  /** Runs `draw`, made for `from`, stretched onto `to`. */
  mapped(from: Rect, to: Rect, draw: () => void): void {
    this.g.save();
    this.g.translate(to.x, to.y);
    this.g.scale(to.w / from.w, to.h / from.h);
    this.g.translate(-from.x, -from.y);
    draw();
    this.g.restore();
  }

  #scaled(style: TextStyle): TextStyle {
    return this.fontScale === 1 ? style : { ...style, size: style.size * this.fontScale };
  }
}
