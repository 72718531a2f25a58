export { runtime } from "./runtime.ts";
