export { SCRCPY_SERVER_SHA256, SCRCPY_VERSION } from "./version.ts";
export { ScrcpyError, type ScrcpyErrorCode } from "./errors.ts";
export { parseServerArguments, SERVER_PATH, serverArguments, serverCommand } from "./server/server-command.ts";
export { defaultServerOptions, scidHex, socketName, type ServerOptions } from "./server/server-options.ts";
export {
  DEVICE_NAME_BYTES,
  HEADER_BYTES,
  MAX_PACKET_BYTES,
  MAX_PTS_US,
  MAX_SIDE_PX,
  videoCodecIds,
  type VideoCodec,
} from "./video/constants.ts";
export type {
  MediaPacket,
  VideoConfig,
  VideoEvent,
  VideoFrame,
  VideoPacket,
  VideoSession,
} from "./video/video-packet.ts";
export { dummyByte, encodeCodec, encodeDeviceName, encodeVideo, encodeVideoHeader } from "./video/encode-video.ts";
export { VideoReader, type VideoReaderOptions } from "./video/video-reader.ts";
export { MAX_AUDIO_PACKET_BYTES, type AudioCodec } from "./audio/constants.ts";
export { AudioReader, type AudioEvent } from "./audio/audio-reader.ts";
export {
  controlTypes,
  GENERIC_FINGER_POINTER_ID,
  MAX_CLIPBOARD_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_TEXT_BYTES,
  MOUSE_POINTER_ID,
  VIRTUAL_FINGER_POINTER_ID,
} from "./control/constants.ts";
export type {
  ControlMessage,
  CopyKey,
  KeyAction,
  PlainControl,
  Position,
  TouchAction,
} from "./control/control-message.ts";
export { encodeControl } from "./control/encode-control.ts";
export { ControlReader } from "./control/control-reader.ts";
export { DeviceMessageReader, encodeDeviceMessage, type DeviceMessage } from "./device/device-message.ts";
