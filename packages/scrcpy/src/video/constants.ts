/** The name field that opens the first socket: UTF-8, padded with NUL, at least one of them. */
export const DEVICE_NAME_BYTES = 64;

/** The header of every packet. */
export const HEADER_BYTES = 12;

/** Far beyond any access unit of a screen, far below what hurts. */
export const MAX_PACKET_BYTES = 16 * 1024 * 1024;

/** Touches name the size of the video in 16 bits each, so a larger one cannot be used. */
export const MAX_SIDE_PX = 0xffff;

/** The most a time stamp can be: 61 bits of microseconds. */
export const MAX_PTS_US = (1n << 61n) - 1n;

/** What follows the device's name: four letters that say how the video is coded. */
export const videoCodecIds = {
  h264: 0x68323634,
  h265: 0x68323635,
  av1: 0x00617631,
  vp8: 0x00767038,
  vp9: 0x00767039,
} as const;

export type VideoCodec = keyof typeof videoCodecIds;

/** In place of a codec: the device gives no such stream, and the rest goes on. */
export const STREAM_DISABLED_ID = 0;

/** In place of a codec: the device was asked for what it cannot do. */
export const STREAM_MISCONFIGURED_ID = 1;
