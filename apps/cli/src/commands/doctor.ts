import type { Command } from "commander";
import { WebSocket } from "ws";
import { runAdb } from "../adb-binary.ts";
import type { Cli } from "../cli.ts";
import { exitCodes, Failure, failureOf } from "../failures.ts";
import { proxyOf, socketOptions } from "../proxy.ts";
import type { Terminal } from "../terminal.ts";

const SOCKET_MS = 10_000;

interface Check {
  name: string;
  look: () => Promise<unknown>;
  /** What to do, or to ask of whoever runs the network. */
  advice: string;
}

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command("doctor")
    .description("what works from here, and what is in the way")
    .action(async () => {
      const { url, token } = await cli.settings();
      const { host, protocol, port } = new URL(url);
      const proxy = proxyOf(url, cli.terminal.env);
      const way = proxy ? ` It is asked by the proxy ${proxy.host}.` : "";
      const rule = `Allow outgoing TCP to ${host}${port ? "" : protocol === "https:" ? ":443" : ":80"}`;
      const client = cli.clientOf(url, token, 0);
      const found: { name: string; works: boolean; problem: string }[] = [];
      const checks: Check[] = [
        { name: `The service answers at ${url}`, look: () => client.settings.get(), advice: `${rule}.${way}` },
        {
          name: "The API token works",
          // A service that has answered, and is busy now, is asked again: that says nothing of the token.
          look: () => client.instances.list({ query: { page_size: 1 } }, { retries: found[0]?.works ? 2 : 0 }),
          advice: `Run "terrarium login", or make one at ${url}/api.`,
        },
        {
          name: "WebSockets get through",
          look: () => openSocket(url.replace(/^http/, "ws"), cli.terminal.env),
          advice: `${rule}, and let its proxies pass WebSockets (Connection: Upgrade).${way}`,
        },
        { name: "There is an adb on this machine", look: () => runAdb(cli.terminal, "version"), advice: "" },
      ];
      for (const { name, look, advice } of checks) {
        const problem = await look().then(
          () => "",
          (error: unknown) => `${failureOf(error).message} ${advice}`.trim(),
        );
        cli.terminal.signal.throwIfAborted();
        found.push({ name, works: !problem, problem });
        if (cli.print.isText) cli.print.line(`${problem ? "✗" : "✓"} ${name}${problem && `: ${problem}`}`);
      }
      const exit = found.every(({ works }) => works) ? "NO_ERROR" : "DEFAULT_ERROR";
      if (!cli.print.isText) cli.print.say("", { checks: found }, exit);
      cli.exitCode = exitCodes[exit];
    });
}

/** The service takes sockets of anybody, and asks who they are afterwards. */
function openSocket(url: string, env: Terminal["env"]): Promise<void> {
  return new Promise((resolve, reject) => {
    const address = `${url}/cloud/socket.io/?EIO=4&transport=websocket`;
    const socket = new WebSocket(address, { ...socketOptions(address, env), handshakeTimeout: SOCKET_MS });
    socket.on("open", () => {
      socket.terminate();
      resolve();
    });
    socket.on("error", (error) => reject(new Failure("NETWORK_ERROR", error.message)));
  });
}
