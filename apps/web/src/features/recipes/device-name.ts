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
