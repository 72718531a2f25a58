import type { Location } from "react-router";

/**
 * By what the browser's place on a page is remembered. Pages that a tab loads again all have one key, and are distinguished by their
 * addresses.
 */
export const placeOf = ({ key, pathname, search, hash }: Location): string =>
  key === "default" ? pathname + search + hash : key;
