import { vi } from "vitest";

/** As patient as `expect.element`. */
export const soon = (check: () => void) => vi.waitFor(check, { timeout: 15_000 });
