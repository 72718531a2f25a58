import type { FormFactor } from "@terrarium/runtime";

/** What is carried: it is turned, and it is locked when its screen goes off. TVs, watches and cars are not. */
export const canTurn = (formFactor: FormFactor): boolean =>
  formFactor !== "TV" && formFactor !== "WATCH" && formFactor !== "CAR";
