import { EXEMPT, REVERSE_CHARGE } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { NO_TAX, taxOf } from "./tax.ts";

const taxIn = (country: string, vatNumber = "", seller?: string) =>
  taxOf({ address: { country }, vat_number: vatNumber, tax_percentage: null }, seller);

describe("taxOf", () => {
  it.each([
    ["DE", 19],
    ["FR", 20],
    ["FI", 25.5],
    ["GR", 24],
    ["MC", 20],
  ])("adds the tax of the customer's country: %s", (country, percentage) => {
    expect(taxIn(country)).toMatchObject({ display_name: "VAT", percentage });
  });

  it("knows all 27 states of the European Union", () => {
    const states = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
    for (const state of states) expect(taxIn(state)?.percentage).toBeGreaterThanOrEqual(17);
    expect(states).toHaveLength(27);
  });

  it.each(["US", "CH", "GB", "NO", "JP"])("adds none elsewhere: %s", (country) => {
    expect(taxIn(country, "any")).toEqual({ display_name: NO_TAX, jurisdiction: country, percentage: 0 });
  });

  it("has businesses of other states account for it themselves", () => {
    expect(taxIn("DE", "DE136695976")).toEqual({ display_name: REVERSE_CHARGE, jurisdiction: "DE", percentage: 0 });
    expect(taxIn("DE", "DE136695976", "DE")).toMatchObject({ display_name: "VAT", percentage: 19 });
    expect(taxIn("FR", "FR40303265045")).toMatchObject({ display_name: "VAT", percentage: 20 });
    expect(taxIn("FR", "FR40303265045", "MC")).toMatchObject({ display_name: "VAT" });
    expect(taxIn("FR", "FR40303265045", "US")).toMatchObject({ display_name: REVERSE_CHARGE });
  });

  it("does not take a number of another country, or none", () => {
    for (const number of ["FR40303265045", "DE136695975", "no"]) expect(taxIn("DE", number)?.percentage).toBe(19);
  });

  it("is what was agreed instead, whatever the VAT number; nothing without an address", () => {
    const agreed = (tax_percentage: number, country = "DE") =>
      taxOf({ address: { country }, vat_number: "DE136695976", tax_percentage });
    expect(agreed(7)).toEqual({ display_name: "VAT", jurisdiction: "DE", percentage: 7 });
    expect(agreed(7.5, "US")).toEqual({ display_name: "Tax", jurisdiction: "US", percentage: 7.5 });
    expect(agreed(0)).toEqual({ display_name: EXEMPT, jurisdiction: "DE", percentage: 0 });
    expect(taxOf({ address: null, vat_number: "", tax_percentage: 7 })).toBeNull();
  });

  it("knows nothing of a country that is none", () => {
    expect(taxIn("XX")).toBeNull();
    expect(taxIn("__proto__")).toBeNull();
  });
});
