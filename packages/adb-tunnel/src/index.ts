export { closeCodes } from "./close-codes.ts";
export { type Hello, parseConfirmation, parseHello, parseWelcome, type Welcome } from "./messages.ts";
export { ResumableEnd, RESUME_MS, WINDOW_BYTES } from "./resumable-end.ts";
