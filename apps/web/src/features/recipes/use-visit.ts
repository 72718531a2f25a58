import { useLocation, useNavigate } from "react-router";

/** What was asked for on one visit to a page: a device, by its name and under a key, and which it became. */
export interface Visit {
  key: string;
  name: string;
  device?: string;
}

/**
 * Remembers what was asked for with the entry of the browser's history. So it survives a reload, and coming back to the page, without
 * a second start; whoever follows the link again begins a new visit.
 */
export function useVisit(): [Visit | undefined, (visit: Visit) => Promise<void>] {
  const { state, pathname, search, hash } = useLocation() as { state: unknown } & ReturnType<typeof useLocation>;
  const navigate = useNavigate();
  const remember = async (visit: Visit) => {
    await navigate({ pathname, search, hash }, { replace: true, state: visit });
  };
  return [isVisit(state) ? state : undefined, remember];
}

const isVisit = (state: unknown): state is Visit =>
  typeof state === "object" && state !== null && "key" in state && "name" in state;
