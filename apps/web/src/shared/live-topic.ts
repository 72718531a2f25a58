import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** What the page does with the events of a channel. */
export interface LiveTopic<Data> {
  /** Brings what is cached up to date. */
  apply: (cache: QueryClient, data: Data) => void;
  /** Sums that an event may change without saying how; asked for again shortly after. */
  recount: readonly QueryKey[];
  /** What is asked for again after a gap, for what was said in it is lost. */
  refetch: readonly QueryKey[];
  /** Drops what was remembered for the person who has left. */
  forget: () => void;
}
