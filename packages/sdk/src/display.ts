export { type DeviceKey, keyMessages, pressMessage, releaseMessage } from "./display/device-keys.ts";
export { type DisplayAccess, DisplaySession, type GadgetReader } from "./display/display-session.ts";
export type { DisplayStatus, PictureSize, Recorded } from "./display/display-status.ts";
export { isFinal } from "./display/final-refusal.ts";
export { canDecode, codecOf } from "./display/h264.ts";
export { type Display, type DisplayOptions, openDisplay } from "./display/open-display.ts";
export { type Detour, type OpenPlayer, type Player, playerFrom, type PlayerSetup } from "./display/player.ts";
export { emptyRoom, OwnPointer, type Room, type RoomPointer } from "./display/room.ts";
export type { Readout, StreamPath } from "./display/stream-stats.ts";
