import type { AdbLink } from "@terrarium/adb";

export interface FakeShell {
  /** `ro.build.characteristics` */
  characteristics: string;
  sdkVersion: number;
  level: number;
  status: number;
  /** What any other command answers; it fails by default, as what is not there does. */
  answer(words: readonly string[]): { stdout: string; exitCode: number };
  /** Each `dumpsys battery` that was run, without those two words. */
  commands: string[];
  run: AdbLink["shell"];
}

/** A device's shell that knows what the device is and has a battery. */
export function fakeShell(): FakeShell {
  const shell: FakeShell = {
    characteristics: "default",
    sdkVersion: 30,
    answer: () => ({ stdout: "", exitCode: 127 }),
    level: 86,
    status: 3,
    commands: [],
    run: async (command) => {
      // The one line that asks what it is.
      if (typeof command === "string")
        return { stdout: `${shell.characteristics}\n${shell.sdkVersion}\n\n`, stderr: "", exitCode: 0 };
      const [program, service, ...words] = command;
      if (program === "dumpsys" && service === "battery") return { stdout: battery(words), stderr: "", exitCode: 0 };
      return { stderr: "", ...shell.answer(command) };
    },
  };
  const battery = (words: string[]): string => {
    shell.commands.push(words.join(" "));
    const [, field, value] = words;
    if (field === "level") shell.level = Number(value);
    if (field === "status") shell.status = Number(value);
    return words.length > 0
      ? ""
      : `Current Battery Service state:\n  status: ${shell.status}\n  present: true\n  level: ${shell.level}\n`;
  };
  return shell;
}
