import type { AdbLink } from "@terrarium/adb";

export interface FakeShell {
  /** `ro.build.characteristics` */
  characteristics: string;
  level: number;
  status: number;
  /** Each `dumpsys battery` that was run, without those two words. */
  commands: string[];
  run: AdbLink["shell"];
}

/** A device's shell that knows what the device is and has a battery. */
export function fakeShell(): FakeShell {
  const shell: FakeShell = {
    characteristics: "default",
    level: 86,
    status: 3,
    commands: [],
    run: async (command) => {
      const [program, , ...words] = command as readonly string[];
      const answer = program === "getprop" ? `${shell.characteristics}\n` : battery(words);
      return { stdout: answer, stderr: "", exitCode: 0 };
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
