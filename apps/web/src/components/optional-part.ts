import type { Clock } from "@terrarium/clock";
import { type ComponentType, lazy } from "react";
import { fetchCode } from "./fetch-code.ts";

/** A part that its page can do without: nothing is in its place if its code cannot be had. */
export const optionalPart = <Props>(fetch: () => Promise<{ default: ComponentType<Props> }>, clock?: Clock) =>
  lazy(() => fetchCode(fetch, clock).catch(() => ({ default: (() => null) as ComponentType<Props> })));
