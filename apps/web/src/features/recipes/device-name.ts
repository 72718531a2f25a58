import { limits } from "@terrarium/contract";

/** A first name for a device of a recipe: "Phone 6.1 in, Android 15" gives "phone-6.1-in-android-15". */
export function deviceNameOf(recipe: string): string {
  const words = recipe
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]+/gu, "-")
    .slice(0, limits.textLength)
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return words || "device";
}

/** The names of several devices, which sort as they count: "smoke" gives "smoke-01" to "smoke-12". A single one gets the name as it is. */
export function numberedNames(name: string, count: number): string[] {
  if (count === 1) return [name];
  const digits = String(count).length;
  const base = Array.from(name)
    .slice(0, limits.textLength - digits - 1)
    .join("");
  return Array.from({ length: count }, (_, index) => `${base}-${String(index + 1).padStart(digits, "0")}`);
}
