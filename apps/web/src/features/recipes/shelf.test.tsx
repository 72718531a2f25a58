import { expect, it } from "vitest";
import { aRecipe } from "../../testing/factories.ts";
import { shelfOf } from "./shelf.ts";

const phone = aRecipe();
const tv = aRecipe({ hardware: { form_factor: "TV" } });
const broken = aRecipe({ status: "ERROR", hardware: { form_factor: "CAR" } });

it("has what was started lately, then the shapes that are not there yet, and only what can start", () => {
  expect(shelfOf([tv, undefined, broken], [phone, undefined, aRecipe({ hardware: { form_factor: "TV" } })])).toEqual([
    tv,
    phone,
  ]);
});

it("has six places", () => {
  const recent = Array.from({ length: 5 }, () => aRecipe());
  expect(shelfOf(recent, [tv, aRecipe({ hardware: { form_factor: "WATCH" } })])).toEqual([...recent, tv]);
});
