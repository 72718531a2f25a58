/** The name field at the start of the first socket: UTF-8, padded with at least one NUL. */
export const DEVICE_NAME_BYTES = 64;

/** The header of every packet. */
export const HEADER_BYTES = 12;

/** Far more than any access unit of a screen, far less than would exhaust memory. */
export const MAX_PACKET_BYTES = 16 * 1024 * 1024;

/** Touches carry the video's width and height in 16 bits each, so larger ones cannot be used. */
export const MAX_SIDE_PX = 0xffff;

/** The largest time stamp: 61 bits of microseconds. */
export const MAX_PTS_US = (1n << 61n) - 1n;

/** The codec id that follows the device's name: four ASCII letters. */
export const videoCodecIds = {
  h264: 0x68323634,
  h265: 0x68323635,
  av1: 0x00617631,
  vp8: 0x00767038,
  vp9: 0x00767039,
} as const;

export type VideoCodec = keyof typeof videoCodecIds;

/** In place of a codec: the device provides no such stream; the client continues without it. */
export const STREAM_DISABLED_ID = 0;

/** In place of a codec: the device cannot encode what was requested. */
export const STREAM_MISCONFIGURED_ID = 1;
