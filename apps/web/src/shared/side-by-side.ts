import { routeRules } from "../session/routes.ts";

/** How many devices one page shows. Each has a connection and a decoder of its own. */
export const sideBySide = { min: 2, max: 6 } as const;

export const sideBySideAddress = (ids: readonly string[]): string =>
  `${routeRules.sideBySide.path}?ids=${ids.join(",")}`;
