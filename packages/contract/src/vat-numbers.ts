import type { FieldRule } from "./field-rules.ts";

/** How the numbers of a country look after its letters, and whether their check digits are right, where those are simple. */
interface Format {
  looks: RegExp;
  checks?: (number: string) => boolean;
}

const weighted =
  (weights: readonly number[], modulus: number) =>
  (number: string): boolean =>
    weights.reduce((sum, weight, index) => sum + weight * Number(number[index]), 0) % modulus === 0;

/** ISO 7064, MOD 11,10. */
function mod11And10(number: string): boolean {
  let product = 10;
  for (const digit of number.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === Number(number.at(-1));
}

function luhn(number: string): boolean {
  const digits = Array.from(number, Number).toReversed();
  const sum = digits.reduce((total, digit, index) => {
    const counted = index % 2 === 0 ? digit : 2 * digit;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}

/** ISO 7064, MOD 97-10, of a number with letters. */
function mod97And10(number: string): boolean {
  let rest = 0;
  for (const sign of number)
    for (const digit of Number.parseInt(sign, 36).toString()) rest = (10 * rest + Number(digit)) % 97;
  return rest === 1;
}

const checkedBy = (number: string, expected: number): boolean => Number(number.at(-1)) === expected;

/** Sum of the digits times how far they are from the end. */
const falling = (digits: string): number =>
  Array.from(digits).reduce((sum, digit, index) => sum + Number(digit) * (digits.length + 1 - index), 0);

/**
 * By the letters that numbers begin with: the states of the European Union, and some neighbours.
 * https://ec.europa.eu/taxation_customs/vies/#/faq (the structure of the numbers), and for check digits the tax offices' own documents.
 */
const formats: Readonly<Record<string, Format>> = {
  AT: {
    looks: /^U\d{8}$/,
    checks: (number) => {
      const sum = Array.from(number.slice(1, 8), Number).reduce(
        (total, digit, index) => total + (index % 2 === 0 ? digit : Math.floor(digit / 5) + ((2 * digit) % 10)),
        4,
      );
      return checkedBy(number, (10 - (sum % 10)) % 10);
    },
  },
  BE: { looks: /^[01]\d{9}$/, checks: (number) => 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8)) },
  BG: { looks: /^\d{9,10}$/ },
  CH: {
    looks: /^E\d{9}(?:MWST|TVA|IVA)?$/,
    checks: (number) => weighted([5, 4, 3, 2, 7, 6, 5, 4, 1], 11)(number.slice(1, 10)),
  },
  CY: { looks: /^\d{8}[A-Z]$/ },
  CZ: { looks: /^\d{8,10}$/ },
  DE: { looks: /^\d{9}$/, checks: mod11And10 },
  DK: { looks: /^\d{8}$/, checks: weighted([2, 7, 6, 5, 4, 3, 2, 1], 11) },
  EE: { looks: /^\d{9}$/, checks: weighted([3, 7, 1, 3, 7, 1, 3, 7, 1], 10) },
  EL: {
    looks: /^\d{9}$/,
    checks: (number) => {
      const sum = Array.from(number.slice(0, 8), Number).reduce((total, digit) => 2 * (total + digit), 0);
      return checkedBy(number, (sum % 11) % 10);
    },
  },
  ES: { looks: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/ },
  FI: { looks: /^\d{8}$/, checks: weighted([7, 9, 10, 5, 8, 4, 2, 1], 11) },
  FR: {
    looks: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
    // Keys with letters follow another rule.
    checks: (number) => /^\D|^.\D/.test(number) || Number(`${number.slice(2)}12`) % 97 === Number(number.slice(0, 2)),
  },
  GB: { looks: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/ },
  HR: { looks: /^\d{11}$/, checks: mod11And10 },
  HU: { looks: /^\d{8}$/, checks: weighted([9, 7, 3, 1, 9, 7, 3, 1], 10) },
  IE: { looks: /^\d[A-Z\d+*]\d{5}[A-W][A-I]?$/ },
  IT: { looks: /^\d{11}$/, checks: luhn },
  LT: { looks: /^(?:\d{9}|\d{12})$/ },
  LU: { looks: /^\d{8}$/, checks: (number) => Number(number.slice(0, 6)) % 89 === Number(number.slice(6)) },
  LV: { looks: /^\d{11}$/ },
  MT: { looks: /^\d{8}$/ },
  NL: {
    looks: /^\d{9}B\d{2}$/,
    // Those of companies, and since 2020 those of people.
    checks: (number) => weighted([9, 8, 7, 6, 5, 4, 3, 2, -1], 11)(number) || mod97And10(`NL${number}`),
  },
  NO: { looks: /^\d{9}(?:MVA)?$/, checks: weighted([3, 2, 7, 6, 5, 4, 3, 2, 1], 11) },
  PL: { looks: /^\d{10}$/, checks: weighted([6, 5, 7, 2, 3, 4, 5, 6, 7, -1], 11) },
  PT: {
    looks: /^\d{9}$/,
    checks: (number) => checkedBy(number, ((11 - (falling(number.slice(0, 8)) % 11)) % 11) % 10),
  },
  RO: { looks: /^\d{2,10}$/ },
  SE: { looks: /^\d{12}$/, checks: (number) => luhn(number.slice(0, 10)) },
  SI: {
    looks: /^[1-9]\d{7}$/,
    checks: (number) => checkedBy(number, (11 - (falling(number.slice(0, 7)) % 11)) % 10),
  },
  SK: { looks: /^\d{10}$/, checks: (number) => Number(number) % 11 === 0 },
  XI: { looks: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/ },
};

/** Countries whose numbers begin with other letters than their own. Monaco and the Isle of Man belong to a neighbour's area. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  GB: ["GB", "XI"],
  GR: ["EL"],
  IM: ["GB"],
  MC: ["FR"],
};
const prefixesOf = (country: string): readonly string[] => prefixes[country] ?? (country in formats ? [country] : []);

const OTHER = /^[A-Z\d]{4,20}$/;

const fits = (prefix: string, number: string): boolean => {
  const format = formats[prefix];
  return format !== undefined && format.looks.test(number) && (format.checks?.(number) ?? true);
};

/**
 * The VAT number that somebody has typed, with the letters of its country and without spaces; undefined if it is not one. With the country
 * of the address the letters may be missing, and must be of that country. Where we know no format, letters and digits will do.
 */
export function vatNumberOf(text: string, country: string | undefined): string | undefined {
  const given = text.toUpperCase().replaceAll(/[\s./-]/g, "");
  const known = country === undefined ? Object.keys(formats) : prefixesOf(country);
  if (country !== undefined && known.length === 0) return OTHER.test(given) ? given : undefined;
  // The key of a French number may be two letters.
  const letters = given.slice(0, 2);
  if (fits(letters, given.slice(2))) return known.includes(letters) ? given : undefined;
  const prefix = country === undefined ? undefined : known.find((own) => fits(own, given));
  return prefix === undefined ? undefined : prefix + given;
}

/** Accepts an empty value. */
export const vatNumber =
  (country: string | undefined): FieldRule =>
  (value) =>
    value.trim() === "" || vatNumberOf(value, country || undefined) !== undefined
      ? undefined
      : {
          message: country
            ? "This is no VAT number of this country"
            : "Use a VAT number with the letters of its country",
        };
