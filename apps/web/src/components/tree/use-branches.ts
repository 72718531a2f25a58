import { useState } from "react";

/**
 * Which branches of a tree are open: as `isOpenFirst` says, until somebody opens or closes them. With another `view`, such as another
 * search, that begins anew.
 */
export function useBranches(isOpenFirst: (id: string) => boolean, view = "") {
  const [changed, setChanged] = useState<{ view: string; branches: ReadonlyMap<string, boolean> }>();
  const branches = changed?.view === view ? changed.branches : undefined;
  return {
    isOpen: (id: string) => branches?.get(id) ?? isOpenFirst(id),
    toggle: (ids: readonly string[], isOpen: boolean) =>
      setChanged({ view, branches: new Map([...(branches ?? []), ...ids.map((id) => [id, isOpen] as const)]) }),
  };
}
