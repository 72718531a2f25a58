/** For whoever moves the clock: what they bill or stop at once counts the time that has passed. */
export { addTime as passTime } from "./leases.store.ts";
