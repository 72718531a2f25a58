export {
  AppError,
  type Contract,
  type ErrorCode,
  type Instance,
  type Recipe,
  type Reply,
  type Sent,
} from "@terrarium/contract";
export { type CallOptions, type Client, type ClientOf, type ClientOptions, clientOf, createClient } from "./client.ts";
export { allOf } from "./pages.ts";
export { newKey } from "./persist.ts";
export { recipeCalled } from "./recipes-called.ts";
export { isAway, untilState } from "./until-state.ts";
