import { useLocation } from "react-router";
import { onTheWay } from "./guards.ts";

/**
 * Leads to other pages on the way in, which remember where one was going: `onWay("/signin")`. A prerendered page does not know yet where
 * that is: before-app.js completes its links.
 */
export function useOnTheWay(): (page: string) => string {
  const { search } = useLocation();
  return (page) => (import.meta.env.SSR ? `${page}?redirect=` : onTheWay(page, search));
}
