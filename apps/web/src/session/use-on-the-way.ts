import { useLocation } from "react-router";
import { onTheWay } from "./guards.ts";

/** Leads to other pages on the way in, which keep where one was going: `onWay("/signin")`. */
export function useOnTheWay(): (page: string) => string {
  const { search } = useLocation();
  return (page) => onTheWay(page, search);
}
