/** Limits that forms, schemas and rules share. Times of a device are minutes. */
export const limits = {
  textLength: 250,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  pageSize: 12,
  pageSizeMax: 5000,
  pageMax: 1_000_000,
  searchLength: 250,
  /** Of a body, unless its route says otherwise. */
  bodyBytes: 256 * 1024,
  /** Of one text field of a form with files, and how many there may be. */
  formFieldBytes: 64 * 1024,
  formFields: 100,
  idempotencyKeyLength: 255,
  apiTokens: 25,
  inactivityMinutesMax: 1440,
  /** What existing command-line clients may ask for. */
  runMinutesMax: 28_800,
  liveSessionMembers: 5,
} as const;

/** Minutes a device may go unused before it is stopped; 0 is never. */
export const inactivityOptions = [0, 1, 15, 30, 60, 120, 360, 720, 1440] as const;
/** Minutes a device may run; 0 is for ever. */
export const runDurationOptions = [0, 1, 15, 30, 60, 120, 360, 720, 1440] as const;
export const defaultTimeouts = { inactivity: 30, global: 0 } as const;

export const launchpadPageSizes = [5, 10, 25] as const;
export const socketReconnect = { delayMs: 3000, attempts: 10 } as const;
