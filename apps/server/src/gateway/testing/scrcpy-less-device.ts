import type { DeviceServices } from "@terrarium/adb";
import { ToyDevice, type ToyFiles } from "@terrarium/adb/testing";
import { createHash } from "node:crypto";

type ShellRequest = Parameters<DeviceServices["shell"]>[0];
type Files = ToyFiles["files"];

/** A toy device without scrcpy's server, with the commands that put a file in its place. */
export class ScrcpyLessDevice extends ToyDevice {
  override async shell(request: ShellRequest): Promise<number> {
    const [name = "", ...words] = request.command.split(" ");
    const run = commands.get(name);
    if (!run) return await super.shell(request);
    this.commands.push(request.command);
    try {
      await request.stdout.write(run(this.files.files, ...words));
      return 0;
    } catch (error) {
      await request.stderr.write(`${name}: ${(error as Error).message}\n`);
      return 1;
    }
  }
}

const commands = new Map<string, (files: Files, ...words: string[]) => string>([
  [
    "sha256sum",
    (files, path = "") => `${createHash("sha256").update(find(files, path).bytes).digest("hex")}  ${path}\n`,
  ],
  [
    "mv",
    (files, _force, from = "", to = "") => {
      const file = find(files, from);
      if (to.startsWith("/readonly/")) throw new Error(`${to}: Read-only file system`);
      files.delete(from);
      files.set(to, file);
      return "";
    },
  ],
  ["rm", (files, _force, path = "") => (files.delete(path), "")],
]);

function find(files: Files, path: string) {
  const file = files.get(path);
  if (!file) throw new Error(`${path}: No such file or directory`);
  return file;
}
