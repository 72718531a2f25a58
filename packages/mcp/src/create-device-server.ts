import { McpServer } from "@modelcontextprotocol/server";
import type { AdbLink } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import { REPLAY_MS } from "@terrarium/contract";
import { Turns } from "@terrarium/runtime";
import type { Client } from "@terrarium/sdk";
import type { WebSocket } from "ws";
import { z } from "zod";
import { addActs } from "./add-acts.ts";
import { deviceLine, recipeLine, running } from "./devices.ts";
import { type Element, lineOf } from "./elements.ts";
import { lookAtScreen, type Screen } from "./look-at-screen.ts";
import { markPicture } from "./mark-picture.ts";
import { readStory, storyLines } from "./replay.ts";
import { Device, said } from "./words.ts";

export interface DeviceServerOptions {
  version: string;
  /** Of the service, as whoever lets the agent work. Its token's scope is the most that the agent can do. */
  client: Client;
  clock: Clock;
  /** Works with the adb of a device. */
  withAdb: <Result>(uuid: string, work: (link: AdbLink) => Promise<Result>, signal: AbortSignal) => Promise<Result>;
  /** A socket to the tools of a device (`tools_url`). */
  openTools: (uuid: string, signal: AbortSignal) => Promise<WebSocket>;
  /** Draws numbered frames on a picture, as `markPicture`, which it is by default: a thread of one's own is not in the way of others. */
  mark?: (png: Buffer, elements: readonly Element[]) => Promise<Uint8Array>;
  /** How an agent installs an app; undefined where it cannot. */
  installer?: Installer;
  /** Nothing that changes anything is offered. */
  isReadOnly: boolean;
  /** The most devices of the person that may run when another is started. */
  maxDevices: number;
  /** After which a device that was started ends by itself. */
  maxMinutes: number;
  /** Shared by the servers of one person: starts, and looks at one device, follow each other. */
  turns?: Pick<Turns, "take">;
}

export interface Installer {
  description: string;
  /** What the agent gives: the path of a file, or the file. */
  file: z.ZodString;
  /** Installs it on a device, and opens it. Resolves with the app's package. */
  install: (uuid: string, file: string, signal: AbortSignal) => Promise<string | null>;
}

const INSTRUCTIONS = `Virtual Android devices. Start one from a recipe, then look at it: you get a picture with numbered frames, and a list that says
what each is and where. Touch by the list's coordinates or by a label. Look again after each step: what is on the screen has changed.
Stop each device that you started when you are done; it costs money while it runs.`;

const MAX_LOG_LINES = 500;
const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** Of what was read, the newest. */
const MAX_LOG_CHARS = 100_000;
const MAX_REPLAY_S = REPLAY_MS / 1000;
/** Where no log was recorded. */
const REPLAY_LOG_LINES = 100;

type Content = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/**
 * A server of the Model Context Protocol whose tools are the devices of one person. A tool that fails answers with the service's or the
 * device's words.
 */
export function createDeviceServer(options: DeviceServerOptions): McpServer {
  const { version, client, withAdb, openTools, isReadOnly, turns = new Turns() } = options;
  const { mark = async (...shot: Parameters<typeof markPicture>) => markPicture(...shot) } = options;
  /** Android can dump a screen for only one caller at a time. */
  const look = (device: string, signal: AbortSignal) =>
    turns.take(device, () => {
      signal.throwIfAborted();
      return withAdb(device, (link) => lookAtScreen(link, signal), signal);
    });
  const pictureOf = async ({ png, elements }: Screen): Promise<Content> => {
    const marked = await mark(png, elements);
    return { type: "image", data: Buffer.from(marked).toString("base64"), mimeType: "image/png" };
  };
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
      if (picture) content.push(await pictureOf(screen));
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

  server.registerTool(
    "replay",
    {
      description:
        "What has just happened on a device: what was done to it, its log, and the screen as it is now. For finding out why something failed.",
      inputSchema: z.object({
        device: Device,
        seconds: z.int().min(1).max(MAX_REPLAY_S).default(30),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ device, seconds }, { mcpReq: { signal } }) => {
      const { access_token } = await client.instances.accessToken({ body: { instance_uuid: device } }, { signal });
      const story = await readStory(await openTools(device, signal), access_token, signal);
      const lines = [`The last ${seconds} s:`, ...storyLines(story, seconds)];
      if (lines.length === 1) lines.push("Nothing was done to it.");
      // It is recorded only while somebody watches the device; that log is the device's, by its own clock.
      if (!story.events.some(({ type }) => type === "log")) {
        const command = ["logcat", "-d", "-v", "threadtime", "-t", String(REPLAY_LOG_LINES)];
        const shell = (link: AdbLink) => link.shell(command, { signal, maxBytes: MAX_LOG_BYTES });
        lines.push("", "The end of its log:", (await withAdb(device, shell, signal)).stdout);
      }
      const text = lines.join("\n").slice(0, MAX_LOG_CHARS);
      return { content: [{ type: "text" as const, text }, await pictureOf(await look(device, signal))] };
    },
  );

  if (!isReadOnly)
    addActs(server, { ...options, turns }, async (device, signal) => (await look(device, signal)).elements);
  return server;
}
