import { describe, expect, it } from "vitest";
import { vatNumber, vatNumberOf } from "./vat-numbers.ts";

/** A number that is right of each country, as its tax office or its company has published it. */
const right = [
  "ATU13585627",
  "BE0403019261",
  "BG175074752",
  "CHE116281710MWST",
  "CY10259033P",
  "CZ25123891",
  "DE136695976",
  "DK13585628",
  "EE100931558",
  "EL094259216",
  "ESB58378431",
  "FI20774740",
  "FR40303265045",
  "FRK7399859412",
  "GB980780684",
  "HR33392005961",
  "HU12892312",
  "IE6433435F",
  "IT00743110157",
  "LT119511515",
  "LU15027442",
  "LV40003521600",
  "MT11679112",
  "NL004495445B01",
  "NL123456789B13",
  "NO995525828MVA",
  "PL8567346215",
  "PT501964843",
  "RO18547290",
  "SE123456789701",
  "SI50223054",
  "SK2022749619",
];
/** Of those whose check digits are known. */
const checked = right.filter((number) => !/^(?:BG|CY|CZ|ES|FRK|GB|IE|LT|LV|MT|RO)/.test(number));

describe("a VAT number", () => {
  it.each(right)("is right: %s", (number) => {
    expect(vatNumberOf(number, undefined)).toBe(number);
  });

  it.each(checked)("is wrong with another digit: %s", (number) => {
    const other = (Number(number[6]) + 1) % 10;
    expect(vatNumberOf(number.slice(0, 6) + other + number.slice(7), undefined)).toBeUndefined();
  });

  it("may have spaces, dots and small letters", () => {
    expect(vatNumberOf(" de 136.695-976 ", undefined)).toBe("DE136695976");
  });

  it("needs the letters of its country, unless the address tells it", () => {
    expect(vatNumberOf("136695976", undefined)).toBeUndefined();
    expect(vatNumberOf("136695976", "DE")).toBe("DE136695976");
    expect(vatNumberOf("094259216", "GR")).toBe("EL094259216");
    expect(vatNumberOf("FR40303265045", "MC")).toBe("FR40303265045");
    expect(vatNumberOf("XI980780684", "GB")).toBe("XI980780684");
  });

  it("is of the country of the address", () => {
    expect(vatNumberOf("DE136695976", "FR")).toBeUndefined();
  });

  it("is any number where we know no format", () => {
    expect(vatNumberOf("12-3456789", "US")).toBe("123456789");
    expect(vatNumberOf("12<3456789", "US")).toBeUndefined();
  });

  it("may be missing", () => {
    expect(vatNumber("DE")(" ")).toBeUndefined();
    expect(vatNumber("DE")("1")).toMatchObject({ message: expect.stringContaining("country") });
    expect(vatNumber(undefined)("1")).toMatchObject({ message: expect.stringContaining("letters") });
  });
});
