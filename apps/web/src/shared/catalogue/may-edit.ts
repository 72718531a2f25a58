import type { Person } from "@terrarium/contract";
import type { Me } from "../../session/user.ts";

/** Owners may change and delete what is theirs, and so may managers; nobody may with what is official. The service has the last word. */
export const mayEdit = (me: Me, item: { is_official: boolean; owner: Person | null }): boolean =>
  !item.is_official && me.role !== "guest" && (item.owner?.uuid === me.uuid || me.role === "manager");
