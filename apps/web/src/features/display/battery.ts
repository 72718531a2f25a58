export interface Battery {
  /** 0 to 100 %. */
  level: number;
  isCharging: boolean;
}

/** The player's own message for the battery: it always sends both of its settings. */
export const batteryMessage = ({ level, isCharging }: Battery) => ({
  channel: "battery",
  messages: [`set state level ${Math.round(level)}`, `set state status ${isCharging ? "charging" : "discharging"}`],
});

/** A device's report; its last two words count: `state mode charging 73`. Undefined for anything else. */
export function batteryOf(report: unknown): Battery | undefined {
  if (typeof report !== "string") return undefined;
  const [status, level] = report.trim().split(/\s+/).slice(-2);
  if (!/^(charging|discharging|full)$/.test(status ?? "") || !/^\d{1,3}$/.test(level ?? "")) return undefined;
  return Number(level) > 100 ? undefined : { level: Number(level), isCharging: status !== "discharging" };
}
