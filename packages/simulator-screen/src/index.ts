export { createScreen } from "./create-screen.ts";
