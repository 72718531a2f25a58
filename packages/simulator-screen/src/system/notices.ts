import { hasBattery, type ScreenHost } from "@terrarium/simulator/screen";
import type { IconName } from "../draw/icons.ts";

/** One line of the notification shade. */
export interface Notice {
  id: string;
  icon: IconName;
  title: string;
  text: string;
}

/** The ones that are always there. */
export const standing: ReadonlySet<string> = new Set(["adb", "simulated"]);

/** What is true of every simulated device, and what its battery and its phone say. */
export function noticesOf(host: ScreenHost): Notice[] {
  const { battery, call, messages } = host.state.values;
  const notices: Notice[] = [
    { id: "adb", icon: "terminal", title: "adb is on", text: `${host.spec.name} answers adb` },
    { id: "simulated", icon: "sprout", title: "Simulated device", text: "Apps' own code is not run here" },
  ];
  if (hasBattery(host.spec.hardware.formFactor)) {
    if (battery.level <= 15 && battery.status === "discharging")
      notices.unshift({ id: "low", icon: "battery", title: "Battery is low", text: `${battery.level}% left` });
    else if (battery.status === "charging")
      notices.unshift({ id: "charging", icon: "bolt", title: "Charging", text: `${battery.level}% full` });
  }
  const message = messages.at(-1);
  if (message) notices.unshift({ id: "message", icon: "text", title: message.from, text: message.text });
  if (call)
    notices.unshift({ id: "call", icon: "sound", title: call.answered ? "Call" : "Incoming call", text: call.from });
  return notices;
}
