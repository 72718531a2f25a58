export { findByUuid, type Reachable } from "./reachable-users.store.ts";
export { findUser } from "./users.store.ts";
