import type { Command } from "commander";
import { type Client, createClient } from "@terrarium/sdk";
import { type Config, readConfig } from "./config.ts";
import { Failure } from "./failures.ts";
import { type Format, Printer } from "./printer.ts";
import { proxied } from "./proxy.ts";
import type { Terminal } from "./terminal.ts";

const DEFAULT_URL = "http://localhost:8080";

/** The service, and as whom. */
export interface Connection {
  /** Without `/cloud`. */
  url: string;
  client: Client;
  /** What a process of ours needs to connect in the same way. */
  environment: Record<string, string>;
}

/** What commands share: the terminal, how to print, and the service. */
export class Cli {
  readonly terminal: Terminal;
  /** What the process exits with when the command has done what it should: that of a command of the person's, for instance. */
  exitCode = 0;
  readonly #program: Command;

  constructor(terminal: Terminal, program: Command) {
    this.terminal = terminal;
    this.#program = program;
  }

  get print(): Printer {
    return new Printer(this.terminal, this.#program.opts<{ format?: Format }>().format ?? "text");
  }

  /** From options, the environment and the saved sign-in, in this order. Throws a Failure without a token. */
  async connect(): Promise<Connection> {
    const { url, token } = await this.settings();
    if (!token)
      throw new Failure(
        "AUTHENTICATION_ERROR",
        `No API token is set. Run "terrarium login", or make one at ${url}/api and set TERRARIUM_API_TOKEN.`,
      );
    return { url, client: this.clientOf(url, token), environment: { TERRARIUM_URL: url, TERRARIUM_API_TOKEN: token } };
  }

  /**
   * A client that waits, and reads, no longer than the person wants; what a signal is to clean up is asked after it. `retries` as the SDK
   * has them. Throws a Failure if the token can be none.
   */
  clientOf(baseUrl: string, apiToken: string | undefined, retries?: number): Client {
    // What HTTP does not take it would show in whole.
    if (apiToken !== undefined && !/^[!-~]+$/.test(apiToken))
      throw new Failure("AUTHENTICATION_ERROR", "The API token has blanks, lines or letters that none has.");
    const { clock, env, signal } = this.terminal;
    const sleep = (ms: number) =>
      clock.sleep(ms, signal).catch(() => {
        throw new Failure("INTERRUPTED", "Interrupted.");
      });
    const send = proxied(baseUrl, env, this.terminal.fetch);
    const fetch: typeof send = (input, init = {}) =>
      init.method === "GET" && !signal.aborted
        ? send(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal })
        : send(input, init);
    return createClient({ baseUrl, apiToken, fetch, retries, sleep });
  }

  async settings(): Promise<Config & { url: string }> {
    const { env } = this.terminal;
    const saved = await readConfig(this.terminal);
    const given = this.#program.opts<{ url?: string }>().url ?? (env.TERRARIUM_URL || (saved.url ?? DEFAULT_URL));
    const url = addressOf(given);
    // The saved token belongs to the saved service, and is sent to no other.
    const own = saved.url !== undefined && addressOf(saved.url) === url ? saved.token : undefined;
    // CI sets a secret that is not there to nothing.
    const token = env.TERRARIUM_API_TOKEN || env.GENYMOTION_API_TOKEN || own;
    return { url, token: token?.trim() };
  }
}

/** The address of a service as people give it: with or without `/cloud` and a slash. */
export function addressOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Failure(
      "CONFIGURATION_ERROR",
      `"${given}" is not the address of a service, such as https://devices.example.com.`,
    );
  return (url.origin + url.pathname).replace(/\/(cloud\/?)?$/, "");
}
