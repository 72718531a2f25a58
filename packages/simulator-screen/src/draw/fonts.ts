import { GlobalFonts } from "@napi-rs/canvas";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { graphemesOf } from "./graphemes.ts";

/** What Roboto's first file covers. Others are loaded when a character needs them. */
const LATIN =
  /^[\n\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u2000-\u206f\u20ac\u2122\u2191\u2193\u2212\u2215]*$/;

/** Characters that are shown as emoji by default. */
const PICTORIAL = /\p{Emoji_Presentation}|\uFE0F/u;

interface Source {
  package: string;
  family: string;
  file(subset: string): string;
}

const sources: Source[] = [
  {
    package: "@fontsource-variable/roboto",
    family: "Roboto",
    file: (subset) => `files/roboto-${subset}-wght-normal.woff2`,
  },
  {
    package: "@fontsource/noto-color-emoji",
    family: "Emoji",
    // The woff2 files of the emoji subsets load but draw nothing with @napi-rs/canvas 1.1.1; the woff files draw.
    file: (subset) => `files/noto-color-emoji-${subset}-400-normal.woff`,
  },
  {
    package: "@fontsource/noto-sans-sc",
    family: "Noto SC",
    file: (subset) => `files/noto-sans-sc-${subset}-400-normal.woff2`,
  },
];

interface Range {
  from: number;
  to: number;
  source: Source;
  subset: string;
}

const registered = new Set<string>();
let ranges: Range[] | undefined;

/** A piece of text that one font file draws. */
export interface Run {
  text: string;
  family: string;
}

/** Splits text by the fonts that have its characters, and registers fonts on first use. */
export function runsOf(text: string): Run[] {
  const roboto = familyOf(sources[0]!, "latin");
  if (LATIN.test(text)) return [{ text, family: roboto }];
  const runs: Run[] = [];
  for (const segment of graphemesOf(text)) {
    const family = LATIN.test(segment) ? roboto : familyFor(segment, roboto);
    const last = runs.at(-1);
    if (last?.family === family) last.text += segment;
    else runs.push({ text: segment, family });
  }
  return runs;
}

/** The family whose file has every character of a grapheme; Roboto, which draws an empty box, if none has. */
function familyFor(grapheme: string, fallback: string): string {
  ranges ??= sources.flatMap(readRanges);
  const points = Array.from(grapheme, (c) => c.codePointAt(0) ?? 0);
  const first = points[0] ?? 0;
  const pictorial = PICTORIAL.test(grapheme);
  const matches = ranges
    .filter((range) => range.from <= first && first <= range.to)
    .toSorted((a, b) => rank(a.source, pictorial) - rank(b.source, pictorial));
  const whole = matches.find(({ source, subset }) => points.every((point) => covers(source, subset, point)));
  const match = whole ?? matches[0];
  return match ? familyOf(match.source, match.subset) : fallback;
}

/** Text fonts come before the emoji font, except for emoji. */
const rank = (source: Source, pictorial: boolean): number =>
  source.family === "Emoji" ? (pictorial ? -1 : sources.length) : sources.indexOf(source);

const covers = (source: Source, subset: string, point: number): boolean =>
  (ranges ?? []).some((r) => r.source === source && r.subset === subset && r.from <= point && point <= r.to);

function readRanges(source: Source): Range[] {
  const table = JSON.parse(readFileSync(pathOf(`${source.package}/unicode.json`), "utf8")) as Record<string, string>;
  return Object.entries(table).flatMap(([subset, list]) =>
    list.split(",").map((part) => {
      const [from = "0", to = from] = part.replace("U+", "").split("-");
      return {
        from: Number.parseInt(from, 16),
        to: Number.parseInt(to, 16),
        source,
        subset: subset.replaceAll(/[[\]]/g, ""),
      };
    }),
  );
}

function familyOf(source: Source, subset: string): string {
  const family = `${source.family} ${subset}`;
  if (!registered.has(family)) {
    registered.add(family);
    GlobalFonts.registerFromPath(pathOf(`${source.package}/${source.file(subset)}`), family);
  }
  return family;
}

const pathOf = (file: string): string => fileURLToPath(import.meta.resolve(file));
