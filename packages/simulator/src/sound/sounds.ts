/** A sound that a device makes. */
export type SoundName = "click" | "notification" | "ring";

interface Sound {
  ms: number;
  /** The value at this time, from -1 to 1. */
  at(seconds: number): number;
}

const sine = (hertz: number, seconds: number) => Math.sin(2 * Math.PI * hertz * seconds);

/** A note that is struck and fades; nothing before its time. */
const note = (hertz: number, seconds: number, fadeSeconds: number) =>
  seconds < 0 ? 0 : Math.min(1, seconds / 0.004) * Math.exp(-seconds / fadeSeconds) * sine(hertz, seconds);

/** A telephone's bell: two tones in turn, twenty times a second, at its end softly. */
const bell = (seconds: number, lastSeconds: number) =>
  sine(Math.floor(seconds * 20) % 2 === 0 ? 880 : 1108, seconds) * Math.min(1, seconds / 0.01, lastSeconds / 0.05);

export const sounds: Readonly<Record<SoundName, Sound>> = {
  click: { ms: 40, at: (seconds) => 0.6 * note(1_900, seconds, 0.005) },
  notification: {
    ms: 500,
    at: (seconds) => 0.5 * note(880, seconds, 0.08) + 0.5 * note(1_320, seconds - 0.12, 0.12),
  },
  ring: { ms: 1_000, at: (seconds) => 0.5 * bell(seconds, 1 - seconds) },
};

/** How long a telephone is silent between two rings. */
export const RING_PAUSE_MS = 2_000;
