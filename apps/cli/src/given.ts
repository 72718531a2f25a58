import { type Client, recipeCalled } from "@terrarium/sdk";
import { InvalidArgumentError } from "commander";
import type { Recipe } from "@terrarium/contract";
import { Failure } from "./failures.ts";

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Minutes from `90`, `90m` or `2h`. A bare number is minutes, as existing scripts have it. */
export function minutes(given: string): number {
  const [, digits, unit] = /^(\d{1,6})(m|h)?$/.exec(given) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Give minutes or hours, such as "90m" or "2h".');
  return Number(digits) * (unit === "h" ? 60 : 1);
}

/** A whole number in a range. */
export const integer =
  (min: number, max: number) =>
  (given: string): number => {
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max)) throw new InvalidArgumentError(`Give a number from ${min} to ${max}.`);
    return value;
  };

/** The recipe of a uuid, or of a name that only one recipe has, or only one for x86_64. Throws a Failure otherwise. */
export async function findRecipe(client: Client, given: string): Promise<Pick<Recipe, "uuid" | "name">> {
  if (isUuid(given)) return client.recipes.get({ params: { uuid: given } });
  const { recipe, same, found } = await recipeCalled(client, given);
  if (recipe) return recipe;
  const near = (same.length > 0 ? same : found).slice(0, 5).map(({ uuid, name }) => `${uuid} ${name}`);
  const what = same.length > 0 ? "Several recipes are" : "No recipe is";
  throw new Failure("USAGE_ERROR", `${what} called "${given}".`, near.join("; "));
}

/** One of some numbers. */
export const oneOf =
  <const Options extends readonly number[]>(options: Options) =>
  (given: string): Options[number] => {
    const value = options.find((option) => String(option) === given);
    if (value === undefined) throw new InvalidArgumentError(`Give one of ${options.join(", ")}.`);
    return value;
  };
