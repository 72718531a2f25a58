import { McpServer } from "@modelcontextprotocol/server";
import type { AdbLink } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import { Turns } from "@terrarium/runtime";
import type { Client } from "@terrarium/sdk";
import { z } from "zod";
import { addActs } from "./add-acts.ts";
import { deviceLine, recipeLine, running } from "./devices.ts";
import { lineOf } from "./elements.ts";
import { lookAtScreen } from "./look-at-screen.ts";
import { markPicture } from "./mark-picture.ts";
import { Device, said } from "./words.ts";

export interface DeviceServerOptions {
  version: string;
  /** Of the service, as whoever lets the agent work. Its token's scope is the most that the agent can do. */
  client: Client;
  clock: Clock;
  /** Works with the adb of a device. */
  withAdb: <Result>(uuid: string, work: (link: AdbLink) => Promise<Result>, signal: AbortSignal) => Promise<Result>;
  /** Installs a file of the machine that the agent works on; undefined where it has none. Resolves with the app's package. */
  install?: (uuid: string, file: string, signal: AbortSignal) => Promise<string | null>;
  /** Nothing that changes anything is offered. */
  isReadOnly: boolean;
  /** The most devices of the person that may run when another is started. */
  maxDevices: number;
  /** After which a device that was started ends by itself. */
  maxMinutes: number;
}

const INSTRUCTIONS = `Virtual Android devices. Start one from a recipe, then look at it: you get a picture with numbered frames, and a list that says
what each is and where. Touch by the list's coordinates or by a label. Look again after each step: what is on the screen has changed.
Stop each device that you started when you are done; it costs money while it runs.`;

const MAX_LOG_LINES = 500;
const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** Of what was read, the newest. */
const MAX_LOG_CHARS = 100_000;

type Content = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/**
 * A server of the Model Context Protocol whose tools are the devices of one person. A tool that fails answers with the service's or the
 * device's words.
 */
export function createDeviceServer(options: DeviceServerOptions): McpServer {
  const { version, client, withAdb, isReadOnly } = options;
  /** Android tells one at a time what is on a screen. */
  const turns = new Turns();
  const look = (device: string, signal: AbortSignal) =>
    turns.take(device, () => withAdb(device, (link) => lookAtScreen(link, signal), signal));
  const server = new McpServer({ name: "terrarium", version }, { instructions: INSTRUCTIONS });

  server.registerTool(
    "list_recipes",
    {
      description: "What devices can be started from: a hardware profile and an Android each.",
      inputSchema: z.object({ search: z.string().max(100).optional().describe("A part of the name") }),
      annotations: { readOnlyHint: true },
    },
    async ({ search }) => {
      const { results, count } = await client.recipes.list({ query: { page_size: 100, ...(search && { search }) } });
      const more = count > results.length ? [`and ${count - results.length} more: search for a part of the name`] : [];
      return said([...results.map(recipeLine), ...more].join("\n") || "There is no such recipe.");
    },
  );

  server.registerTool(
    "list_devices",
    {
      description: "Your devices that run.",
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true },
    },
    async () => said((await running(options)).results.map(deviceLine).join("\n") || "No device runs."),
  );

  server.registerTool(
    "look",
    {
      description:
        "The screen of a device: a picture with numbered frames, and what each is, with the coordinates to touch it at.",
      inputSchema: z.object({
        device: Device,
        picture: z.boolean().default(true).describe("False for the list alone"),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ device, picture }, { mcpReq: { signal } }) => {
      const screen = await look(device, signal);
      const { width, height, elements, problem } = screen;
      const lines = [`The screen has ${width} x ${height} pixels.`, ...elements.map(lineOf)];
      if (problem !== undefined) lines.push(`What is on it is not known: ${problem}`);
      const content: Content[] = [{ type: "text", text: lines.join("\n") }];
      if (picture) {
        const data = markPicture(screen.png, elements).toString("base64");
        content.push({ type: "image", data, mimeType: "image/png" });
      }
      return { content };
    },
  );

  server.registerTool(
    "logs",
    {
      description: "The newest lines of a device's log (logcat).",
      inputSchema: z.object({
        device: Device,
        lines: z.int().min(1).max(MAX_LOG_LINES).default(100),
        filters: z
          .array(z.string().regex(/^[\w.*][\w.*-]{0,99}(:[VDIWEFS])?$/))
          .max(20)
          .default([])
          .describe('As logcat takes them: "*:W", "MyApp:D"'),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ device, lines, filters }, { mcpReq: { signal } }) => {
      const command = ["logcat", "-d", "-t", String(lines), ...filters];
      const shell = (link: AdbLink) => link.shell(command, { signal, maxBytes: MAX_LOG_BYTES });
      const { stdout } = await withAdb(device, shell, signal);
      return said(stdout.slice(-MAX_LOG_CHARS) || "The log is empty.");
    },
  );

  if (!isReadOnly) addActs(server, options, async (device, signal) => (await look(device, signal)).elements);
  return server;
}
