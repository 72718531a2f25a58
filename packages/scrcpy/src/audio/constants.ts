/** The codec id that an audio socket begins with: four ASCII letters, `\0aac` for three. */
export const audioCodecIds = {
  opus: 0x6f707573,
  aac: 0x00616163,
  flac: 0x666c6163,
  raw: 0x00726177,
} as const;

export type AudioCodec = keyof typeof audioCodecIds;

/** Far more than a fifth of a second of any codec takes. */
export const MAX_AUDIO_PACKET_BYTES = 64 * 1024;
