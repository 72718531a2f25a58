import type { FormFactor } from "@terrarium/runtime";

/** TVs and cars run on mains. */
export const hasBattery = (formFactor: FormFactor): boolean => formFactor !== "TV" && formFactor !== "CAR";
