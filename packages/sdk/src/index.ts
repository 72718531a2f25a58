export { AppError, type ErrorCode } from "@terrarium/contract";
export { type Client, type ClientOf, type ClientOptions, clientOf, createClient } from "./client.ts";
