import { encodePng } from "../../device/png.ts";
import { type Commands, options, pathOf, UsageError } from "../invocation.ts";

/** Takes `-d DISPLAY_ID` out of the arguments, wherever it stands; without it the first display is meant. */
function displayOption(words: readonly string[]): { id: number; args: string[] } {
  const at = words.indexOf("-d");
  if (at < 0) return { id: 0, args: [...words] };
  const id = words[at + 1];
  if (id === undefined || !/^\d{1,9}$/.test(id)) throw new UsageError(`Error: bad number ${id ?? ""}`, 255);
  return { id: Number(id), args: words.toSpliced(at, 2) };
}

export const windowCommands: Commands = {
  wm: async (call) => {
    const { id, args } = displayOption(call.args);
    const [verb, value, more] = args;
    if (verb === "size" || verb === "density") {
      // What WindowManagerService answers for a display that it does not know.
      const { width, height, density } = call.device.spec.hardware.displays[id] ?? { width: 0, height: 0, density: -1 };
      if (value === undefined)
        await call.stdout.write(
          verb === "size" ? `Physical size: ${width}x${height}\n` : `Physical density: ${density}\n`,
        );
      else if (value !== "reset")
        throw new UsageError(`a simulated device keeps the ${verb} of its hardware profile`, 255);
      return 0;
    }
    if (verb === "user-rotation") {
      if (value === "free") call.device.state.set({ autoRotate: true });
      else if (value === "lock" && (more === undefined || /^[0-3]$/.test(more)))
        call.device.state.set({
          autoRotate: false,
          ...(more === undefined ? {} : { rotation: Number(more) as 0 | 1 | 2 | 3 }),
        });
      else if (value === undefined)
        await call.stdout.write(
          `${call.device.state.values.autoRotate ? "free" : `lock ${call.device.state.values.rotation}`}\n`,
        );
      else throw new UsageError("Error: expecting free or lock", 255);
      return 0;
    }
    if (verb === "dismiss-keyguard") {
      call.device.state.set({ locked: false });
      return 0;
    }
    await call.stderr.write(
      verb === undefined
        ? "Window manager (window) commands:\n  size density user-rotation dismiss-keyguard\n"
        : `Unknown command: ${verb}\n`,
    );
    return verb === undefined ? 1 : 255;
  },

  screencap: async (call) => {
    const { flags, values, rest } = options(call, "phd:");
    if (flags.has("h") || (values.has("d") && values.get("d") !== "0"))
      throw new UsageError("usage: screencap [-hp] [-d display-id] [FILENAME]");
    const picture = call.device.display.capture();
    const png = flags.has("p") || rest[0]?.endsWith(".png");
    let bytes: Uint8Array;
    if (png) bytes = await encodePng(picture);
    else {
      // Width, height, PixelFormat RGBA_8888 and, since Android 9, the data space (AOSP cmds/screencap).
      const words = call.device.spec.image.sdkVersion >= 28 ? 4 : 3;
      const raw = new DataView(new ArrayBuffer(words * 4));
      for (const [at, value] of [picture.width, picture.height, 1, 0].slice(0, words).entries())
        raw.setUint32(at * 4, value, true);
      bytes = Buffer.concat([new Uint8Array(raw.buffer), picture.pixels]);
    }
    if (rest[0] === undefined || rest[0] === "-") await call.stdout.write(bytes);
    else call.shell.files.write(pathOf(call, rest[0]), bytes);
    return 0;
  },
};
