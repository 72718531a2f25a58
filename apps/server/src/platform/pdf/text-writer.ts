import bidiFactory from "bidi-js";
import type PDFDocument from "pdfkit";
import { type Face, facesFor, fileOf, isLatin, latin, type Weight } from "./faces.ts";

/** More of a text is not written: nobody reads it, and every character is measured. */
const MAX_LENGTH = 1_000;
/** How many texts have their shapes cached, as those of many lines are the same. */
const MAX_CACHED = 20_000;
const MORE = "…";
const UNKNOWN = "?";

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export interface Style {
  size: number;
  weight?: Weight;
}

/** Characters of one font and direction, in the order of reading. */
interface Run {
  text: string;
  face: Face;
  level: number;
}

/** Text on one line, with its runs from left to right. */
export interface Line extends Required<Style> {
  runs: readonly (Run & { width: number })[];
  width: number;
}

/** What pdfkit's types do not say about the font that is set. */
interface SetFont {
  _font: { font: { hasGlyphForCodePoint(point: number): boolean } };
}

/**
 * Writes text that people have chosen: of any script that one of the fonts has, from right to left where it is read so, and as nothing but
 * text. What no font has becomes a question mark.
 */
export class TextWriter {
  readonly #doc: typeof PDFDocument.prototype;
  readonly #faces = new Map<string, Face>();
  readonly #cache = new Map<string, Line>();
  #isSet: string | undefined;

  constructor(doc: typeof PDFDocument.prototype) {
    this.#doc = doc;
  }

  /** One line, cut where it is wider than `width`, in points. */
  line(text: string, { size, weight = 400 }: Style, width = Infinity): Line {
    const key = `${size} ${weight} ${width} ${text.slice(0, MAX_LENGTH)}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const line = this.#fit(plain(text), { size, weight }, width);
    if (this.#cache.size < MAX_CACHED) this.#cache.set(key, line);
    return line;
  }

  /** As many lines as it takes, up to `maxLines`, the last of which is cut. */
  lines(text: string, { size, weight = 400 }: Style, width: number, maxLines: number): Line[] {
    const style = { size, weight };
    const lines: Line[] = [];
    let rest = plain(text);
    while (rest !== "" && lines.length < maxLines - 1) {
      const end = this.#endOfLine(rest, style, width);
      lines.push(this.#shape(rest.slice(0, end).trimEnd(), style));
      rest = rest.slice(end).trimStart();
    }
    return rest === "" ? lines : [...lines, this.#fit(rest, style, width)];
  }

  /** Writes a line; `y` is where its letters stand. */
  write({ runs, size, weight }: Line, x: number, y: number): void {
    let at = x;
    for (const { text, face, width } of runs) {
      this.#set(face, weight);
      this.#doc.fontSize(size).text(text, at, y, { lineBreak: false, baseline: "alphabetic", ...featuresOf(text) });
      at += width;
    }
  }

  /** How much of a text fits: up to a space if there is one, and a character at least. */
  #endOfLine(text: string, style: Required<Style>, width: number): number {
    if (this.#shape(text, style).width <= width) return text.length;
    const places = [...graphemes.segment(text)].map(({ index }) => index).slice(1);
    const end = this.#last(places, (place) => this.#shape(text.slice(0, place).trimEnd(), style).width <= width);
    const space = text.lastIndexOf(" ", end ?? 0);
    return space > 0 ? space : (end ?? places[0] ?? text.length);
  }

  #fit(text: string, style: Required<Style>, width: number): Line {
    const whole = this.#shape(text, style);
    if (whole.width <= width) return whole;
    const cut = (place: number) => this.#shape(text.slice(0, place).trimEnd() + MORE, style);
    const places = [0, ...[...graphemes.segment(text)].map(({ index }) => index)];
    return cut(this.#last(places, (place) => cut(place).width <= width) ?? 0);
  }

  /** The last of ascending places that fits, where all before it do. */
  #last(places: readonly number[], fits: (place: number) => boolean): number | undefined {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fits(places[middle] ?? 0)) low = middle + 1;
      else high = middle;
    }
    return places[low - 1];
  }

  #shape(text: string, { size, weight }: Required<Style>): Line {
    const runs = isLatin(text) ? [{ text, face: latin, level: 0 }] : leftToRight(this.#runsOf(text, weight));
    const measured = runs.map((run) => {
      this.#set(run.face, weight);
      return { ...run, width: this.#doc.fontSize(size).widthOfString(run.text, featuresOf(run.text)) };
    });
    return { size, weight, runs: measured, width: measured.reduce((sum, { width }) => sum + width, 0) };
  }

  #runsOf(text: string, weight: Weight): Run[] {
    const { levels } = bidi.getEmbeddingLevels(text);
    const mirrored = bidi.getMirroredCharactersMap(text, levels);
    const runs: Run[] = [];
    let at = 0;
    for (const character of text) {
      const level = levels[at] ?? 0;
      const last = runs.at(-1);
      const shown = mirrored.get(at) ?? character;
      const { face, known } = this.#faceFor(shown, weight, last?.face);
      if (last?.face === face && last.level === level) last.text += known;
      else runs.push({ text: known, face, level });
      at += character.length;
    }
    return runs;
  }

  /** The font of a character: that of the one before it if it has it, so that marks stay with their letters. */
  #faceFor(character: string, weight: Weight, before: Face | undefined): { face: Face; known: string } {
    if (before && !/[\p{L}\p{N}]/u.test(character) && this.#has(before, weight, character))
      return { face: before, known: character };
    const found = this.#faces.get(character) ?? facesFor(character).find((face) => this.#has(face, weight, character));
    if (!found) return { face: latin, known: UNKNOWN };
    const face = before && sameFace(before, found) ? before : found;
    this.#faces.set(character, face);
    return { face, known: character };
  }

  #has(face: Face, weight: Weight, character: string): boolean {
    this.#set(face, weight);
    return (this.#doc as unknown as SetFont)._font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  }

  /** Every page begins with the font of the one before. */
  #set(face: Face, weight: Weight): void {
    const file = fileOf(face, weight);
    if (file !== this.#isSet) this.#doc.font(file);
    this.#isSet = file;
  }
}

const sameFace = (one: Face, other: Face) => one.family === other.family && one.subset === other.subset;

/** Text without what is not seen: characters that break lines, end documents or turn the direction of what follows. */
export const plain = (text: string): string =>
  text
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\ufe0f/g, "")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, " ")
    .trim();

/**
 * pdfkit caches the shape of every word that it is given without features, and puts words from left to right. So text that is not Latin is
 * given features: it is then shaped as a whole, and turned by the font library.
 */
const featuresOf = (text: string): { features?: [] } => (isLatin(text) ? {} : { features: [] });

/** Runs as they stand on the line (Unicode Standard Annex 9, L2). Signs that no script claims are turned here. */
function leftToRight(runs: readonly Run[]): Run[] {
  const line = runs.map((run) =>
    run.level % 2 === 1 && !/\p{L}/u.test(run.text)
      ? { ...run, text: Array.from(run.text).toReversed().join("") }
      : run,
  );
  const highest = Math.max(0, ...line.map(({ level }) => level));
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < line.length; start++) {
      let end = start;
      while ((line[end]?.level ?? -1) >= level) end++;
      line.splice(start, end - start, ...line.slice(start, end).toReversed());
      start = Math.max(start, end - 1);
    }
  return line;
}
