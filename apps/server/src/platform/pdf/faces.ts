import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Regular and bold. */
export type Weight = 400 | 700;

/** Packages with fonts, each of which is several files that cover some characters. Earlier ones are preferred. */
const families = [
  "noto-sans",
  "noto-sans-arabic",
  "noto-sans-hebrew",
  "noto-sans-thai",
  "noto-sans-sc",
  "noto-sans-kr",
] as const;

/** A file with a font. */
export interface Face {
  family: string;
  subset: string;
}

interface Range extends Face {
  from: number;
  to: number;
}

/** What everything is written in that no other font is needed for. */
export const latin: Face = { family: "noto-sans", subset: "latin" };

/** Whether the Latin font has all of a text, which is then written from left to right. */
export const isLatin = (text: string): boolean => /^[\u0020-\u007e\u00a0-\u00ff\u2010-\u2027\u20ac\u2212]*$/.test(text);

let ranges: Range[] | undefined;

/** The fonts that may have a character, the preferred first. The tables of the packages promise more than the files hold. */
export function facesFor(character: string): Face[] {
  const point = character.codePointAt(0) ?? 0;
  ranges ??= families.flatMap(rangesOf);
  return ranges.filter(({ from, to }) => from <= point && point <= to);
}

function rangesOf(family: string): Range[] {
  const table = JSON.parse(readFileSync(pathOf(`@fontsource/${family}/unicode.json`), "utf8")) as Record<
    string,
    string
  >;
  return Object.entries(table).flatMap(([subset, list]) =>
    list.split(",").map((part) => {
      const [from = "0", to = from] = part.replace("U+", "").split("-");
      return {
        from: Number.parseInt(from, 16),
        to: Number.parseInt(to, 16),
        family,
        subset: subset.replaceAll(/[[\]]/g, ""),
      };
    }),
  );
}

const files = new Map<string, string>();

/** Where the file of a font is. */
export function fileOf({ family, subset }: Face, weight: Weight): string {
  const name = `@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`;
  const file = files.get(name) ?? pathOf(name);
  files.set(name, file);
  return file;
}

const pathOf = (file: string): string => fileURLToPath(import.meta.resolve(file));
