import type { ScreenHost } from "@terrarium/simulator/screen";
import type { IconName } from "../draw/icons.ts";

/** One line of the notification shade. */
export interface Notice {
  id: string;
  icon: IconName;
  title: string;
  text: string;
}

/** What is true of every simulated device, and what its battery says. */
export function noticesOf(host: ScreenHost): Notice[] {
  const { battery } = host.state.values;
  const notices: Notice[] = [
    { id: "adb", icon: "terminal", title: "adb is on", text: `${host.spec.name} answers adb` },
    { id: "simulated", icon: "sprout", title: "Simulated device", text: "Apps' own code is not run here" },
  ];
  if (battery.level <= 15 && battery.status === "discharging") {
    notices.unshift({ id: "low", icon: "battery", title: "Battery is low", text: `${battery.level}% left` });
  } else if (battery.status === "charging") {
    notices.unshift({ id: "charging", icon: "bolt", title: "Charging", text: `${battery.level}% full` });
  }
  return notices;
}
