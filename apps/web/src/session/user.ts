import type { User } from "@terrarium/contract";
import { createContext, useContext, useSyncExternalStore } from "react";
import { session } from "./client.ts";
import { type Role, roleOf, type Session } from "./session.ts";

/** Who is signed in, or undefined; renders again when that changes. */
export const useSession = (): Session | undefined => useSyncExternalStore(session.subscribe, () => session.current);

export interface Me extends User {
  role: Role;
}
export const meOf = (user: User): Me => ({ ...user, role: roleOf(user) });

/** Given by `SignedIn`, below which somebody always is. */
export const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("nobody is signed in here");
  return me;
}
