import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createDeviceServer } from "@terrarium/mcp";
import type { Command } from "commander";
import { WebSocket } from "ws";
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { integer } from "../given.ts";
import { installApk } from "../install-apk.ts";
import { socketOptions } from "../proxy.ts";
import { withAdb } from "../tunnel.ts";
import manifest from "../../package.json" with { type: "json" };

interface McpOptions {
  readOnly: boolean;
  maxDevices: number;
  maxMinutes: number;
}

export function addMcp(program: Command, cli: Cli): void {
  program
    .command("mcp")
    .description("serve your devices to an agent, by the Model Context Protocol on standard input and output")
    .option("--read-only", "only what changes nothing", false)
    .option("--max-devices <count>", "start none while so many of yours run", integer(1, 50), 2)
    .option("--max-minutes <minutes>", "the longest that a device runs", integer(1, 1440), 60)
    .action(async (options: McpOptions) => {
      const { client } = await cli.connect();
      const { clock, env, signal: over } = cli.terminal;
      const served = serveStdio(() =>
        createDeviceServer({
          version: manifest.version,
          client,
          clock,
          withAdb: (uuid, work, signal) =>
            withAdb({ client, uuid, terminal: { env, signal: AbortSignal.any([signal, over]) } }, work),
          openTools: async (uuid) => {
            const { tools_url: url } = await client.instances.get({ params: { uuid } });
            return new WebSocket(url, socketOptions(url, env));
          },
          installer: {
            description: "Installs an APK of this machine on a device, and opens it.",
            file: z.string().max(4096).describe("The path of the APK"),
            install: (uuid, file, signal) => installApk(client, uuid, file, signal),
          },
          isReadOnly: options.readOnly,
          maxDevices: options.maxDevices,
          maxMinutes: options.maxMinutes,
        }),
      );
      await new Promise<void>((resolve) => {
        cli.terminal.stdin.once("end", resolve);
        over.addEventListener("abort", () => resolve(), { once: true });
      });
      await served.close();
    });
}
