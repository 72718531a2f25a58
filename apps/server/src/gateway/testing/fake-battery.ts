import type { AdbLink } from "@terrarium/adb";

export interface FakeBattery {
  level: number;
  status: number;
  /** Each `dumpsys battery` that was run, without those two words. */
  commands: string[];
  shell: AdbLink["shell"];
}

/** A device's shell that has a battery and nothing else. */
export function fakeBattery(): FakeBattery {
  const battery: FakeBattery = {
    level: 86,
    status: 3,
    commands: [],
    shell: async (command) => {
      const [, , ...words] = command as readonly string[];
      battery.commands.push(words.join(" "));
      const [, field, value] = words;
      if (field === "level") battery.level = Number(value);
      if (field === "status") battery.status = Number(value);
      const stdout =
        words.length > 0
          ? ""
          : `Current Battery Service state:\n  status: ${battery.status}\n  level: ${battery.level}\n`;
      return { stdout, stderr: "", exitCode: 0 };
    },
  };
  return battery;
}
