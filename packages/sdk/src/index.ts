export { AppError, type ErrorCode } from "@terrarium/contract";
export { type Client, type ClientOptions, createClient } from "./client.ts";
