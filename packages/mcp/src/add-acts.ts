import type { McpServer } from "@modelcontextprotocol/server";
import type { Turns } from "@terrarium/runtime";
import { z } from "zod";
import type { DeviceServerOptions } from "./create-device-server.ts";
import { awaitStart, deviceLine, findRecipe, running } from "./devices.ts";
import { centreOf, type Element, lineOf } from "./elements.ts";
import { Device, said } from "./words.ts";

/** Until an app has drawn what a touch did. */
const SETTLE_MS = 400;

const keys = {
  back: "BACK",
  home: "HOME",
  recents: "APP_SWITCH",
  enter: "ENTER",
  delete: "DEL",
  tab: "TAB",
  up: "DPAD_UP",
  down: "DPAD_DOWN",
  left: "DPAD_LEFT",
  right: "DPAD_RIGHT",
  power: "POWER",
  volume_up: "VOLUME_UP",
  volume_down: "VOLUME_DOWN",
} as const;

const Pixel = z.int().min(0).max(20_000);

/** Adds the tools that change something. `elements` is what is on the screen of a device now. */
export function addActs(
  server: McpServer,
  options: DeviceServerOptions & { turns: Pick<Turns, "take"> },
  elements: (device: string, signal: AbortSignal) => Promise<Element[]>,
): void {
  const { client, clock, withAdb, installer, turns, maxDevices, maxMinutes } = options;

  /** Runs commands on a device, one after the other. */
  const run = (device: string, commands: readonly (readonly string[])[], signal: AbortSignal) =>
    withAdb(
      device,
      async (link) => {
        for (const command of commands) {
          const { exitCode, stdout, stderr } = await link.shell(command, { signal });
          if (exitCode !== 0) throw new Error((stderr || stdout).trim() || `${command.join(" ")} failed`);
        }
        await clock.sleep(SETTLE_MS, signal);
      },
      signal,
    );

  server.registerTool(
    "start_device",
    {
      description: `Starts a device and waits for it. It ends by itself after ${maxMinutes} minutes at most.`,
      inputSchema: z.object({
        recipe: z.string().max(250).describe("A recipe's uuid, or its name"),
        minutes: z.int().min(1).max(maxMinutes).default(maxMinutes),
        name: z.string().min(1).max(100).default("agent"),
      }),
    },
    async ({ recipe, minutes, name }, { mcpReq: { signal } }) => {
      const params = { uuid: (await findRecipe(options, recipe)).uuid };
      const timeouts = { inactivity: 0, global: minutes } as const;
      const body = { instance_name: name, rename_on_conflict: true, timeouts };
      // One by one, so that no two find room for the same device.
      const { uuid } = await turns.take("start", async () => {
        signal.throwIfAborted();
        const { count } = await running(options);
        if (count >= maxDevices)
          throw new Error(`${count} devices run, and no more than ${maxDevices} may. Stop one first.`);
        return client.recipes.start({ params, body });
      });
      const started = await awaitStart(options, uuid, signal);
      const notYet = started.state === "ONLINE" ? "" : "\nIt is not ONLINE yet: see list_devices.";
      return said(deviceLine(started) + notYet);
    },
  );

  server.registerTool(
    "stop_device",
    {
      description: "Stops a device. What was on it is lost.",
      inputSchema: z.object({ device: Device }),
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    async ({ device }) => {
      await client.instances.stop({ params: { uuid: device } });
      return said("It stops.");
    },
  );

  server.registerTool(
    "tap",
    {
      description: "Touches the screen, at coordinates of the last look, or on the one thing with this label.",
      inputSchema: z.object({
        device: Device,
        x: Pixel.optional(),
        y: Pixel.optional(),
        label: z.string().max(500).optional(),
        milliseconds: z.int().min(1).max(10_000).optional().describe("Held for so long; 1000 is a long press"),
      }),
    },
    async ({ device, x, y, label, milliseconds }, { mcpReq: { signal } }) => {
      const at = await placeOf({ x, y, label }, () => elements(device, signal));
      const [left, top] = [String(at.x), String(at.y)];
      const held = ["input", "swipe", left, top, left, top, String(milliseconds)];
      await run(device, [milliseconds === undefined ? ["input", "tap", left, top] : held], signal);
      return said(`Touched at ${left},${top}.`);
    },
  );

  server.registerTool(
    "swipe",
    {
      description: "Moves a finger over the screen. To scroll down, move it up.",
      inputSchema: z.object({
        device: Device,
        from_x: Pixel,
        from_y: Pixel,
        to_x: Pixel,
        to_y: Pixel,
        milliseconds: z.int().min(50).max(10_000).default(300),
      }),
    },
    async ({ device, milliseconds, ...way }, { mcpReq: { signal } }) => {
      const { from_x, from_y, to_x, to_y } = way;
      await run(device, [["input", "swipe", ...[from_x, from_y, to_x, to_y, milliseconds].map(String)]], signal);
      return said(`Moved from ${from_x},${from_y} to ${to_x},${to_y}.`);
    },
  );

  server.registerTool(
    "type_text",
    {
      description: "Types into what has the focus. Touch a field first.",
      inputSchema: z.object({
        device: Device,
        text: z
          .string()
          .min(1)
          .max(1000)
          .regex(/^[ -~\n]*$/, "Android types only the characters of an English keyboard this way."),
      }),
    },
    async ({ device, text }, { mcpReq: { signal } }) => {
      const commands = text
        .split("\n")
        .flatMap((line, index) => [
          ...(index > 0 ? [["input", "keyevent", "ENTER"]] : []),
          ...wordsOf(line).map((words) => ["input", "text", words]),
        ]);
      await run(device, commands, signal);
      return said(`Typed ${text.length} characters.`);
    },
  );

  server.registerTool(
    "press_key",
    {
      description: "Presses a key of the device.",
      inputSchema: z.object({ device: Device, key: z.enum(Object.keys(keys) as (keyof typeof keys)[]) }),
    },
    async ({ device, key }, { mcpReq: { signal } }) => {
      await run(device, [["input", "keyevent", keys[key]]], signal);
      return said(`Pressed ${key}.`);
    },
  );

  if (installer)
    server.registerTool(
      "install_app",
      { description: installer.description, inputSchema: z.object({ device: Device, file: installer.file }) },
      async ({ device, file }, { mcpReq: { signal } }) => {
        const name = await installer.install(device, file, signal);
        return said(name ? `Installed and opened ${name}.` : "Installed and opened.");
      },
    );
}

/** As `input text` takes a line: `%s` is a blank to it, so that what is no blank is typed in two parts. */
const wordsOf = (line: string): string[] =>
  line
    .split(/(?<=%)(?=s)/)
    .filter(Boolean)
    .map((part) => part.replaceAll(" ", "%s"));

async function placeOf(
  { x, y, label }: { x?: number | undefined; y?: number | undefined; label?: string | undefined },
  look: () => Promise<Element[]>,
) {
  if (x !== undefined && y !== undefined) return { x, y };
  if (label === undefined) throw new Error("Give x and y, or a label.");
  const found = (await look()).filter((element) => element.label.toLowerCase() === label.toLowerCase());
  const touchable = found.filter(({ flags }) => flags.includes("clickable"));
  const [element, ...others] = touchable.length > 0 ? touchable : found;
  if (!element) throw new Error(`Nothing on the screen is called "${label}".`);
  if (others.length > 0)
    throw new Error(`Several are called "${label}":\n${[element, ...others].map(lineOf).join("\n")}`);
  return centreOf(element);
}
