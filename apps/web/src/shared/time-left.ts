export type TimeTone = "neutral" | "warning" | "error";

export interface TimeLeft {
  /** `24:31`, or `2:05:09` from an hour on. */
  text: string;
  tone: TimeTone;
}

const MINUTE_MS = 60_000;

/** How long a device has before it stops by itself, and how pressing that is. Never below zero. */
export function timeLeft(stopsAt: string, now: number): TimeLeft {
  const leftMs = Math.max(0, Date.parse(stopsAt) - now);
  const seconds = Math.floor(leftMs / 1000);
  const pad = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return {
    text: hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`,
    tone: leftMs < MINUTE_MS ? "error" : leftMs < 5 * MINUTE_MS ? "warning" : "neutral",
  };
}
