import { execFileSync, type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processesOf, type Usage, usageOf, sumOf } from "../support/processes.ts";

const endWithParent = fileURLToPath(new URL("../../dev/commands/end-with-parent.mjs", import.meta.url));
const program = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));

/** A machine of a fleet: a process of the product with a data directory of its own and, where we may, a network of its own. */
export class Machine {
  readonly name: string;
  readonly dataDir: string;
  readonly #environment: Record<string, string>;
  readonly #network: Network | undefined;
  #child: ChildProcess | undefined;
  output = "";

  private constructor(
    name: string,
    dataDir: string,
    environment: Record<string, string>,
    network: Network | undefined,
  ) {
    this.name = name;
    this.dataDir = dataDir;
    this.#environment = environment;
    this.#network = network;
  }

  static async of(name: string, environment: Record<string, string>, network?: Network): Promise<Machine> {
    const dataDir = await mkdtemp(join(tmpdir(), `terrarium-fleet-${name}-`));
    await chmod(dataDir, 0o755);
    return new Machine(name, dataDir, environment, network);
  }

  start(): void {
    const command = [process.execPath, "--import", endWithParent, program];
    const [first = "", ...rest] = this.#network ? ["ip", "netns", "exec", this.#network.name, ...command] : command;
    const child = spawn(first, rest, {
      env: {
        ...process.env,
        NODE_ENV: "",
        LOG_LEVEL: "error",
        PORT: "0",
        HOST: "127.0.0.1",
        TERRARIUM_SHOWCASE: "off",
        TERRARIUM_AVATARS: "off",
        TERRARIUM_DATA_DIR: this.dataDir,
        ...(this.#network && { TERRARIUM_GATEWAY_HOST: this.#network.address }),
        ...this.#environment,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (this.output += String(chunk)));
    this.#child = child;
  }

  /** Ends its server with a signal; its devices' processes are others. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  /** As when the power fails: everything of it is killed, and nothing answers at its address. */
  async lose(): Promise<void> {
    this.#network?.cut();
    await this.end("SIGKILL");
    await this.killDevices();
  }

  async killDevices(): Promise<void> {
    for (const { pid, role } of await processesOf(this.dataDir)) if (role === "host") process.kill(pid, "SIGKILL");
  }

  async usage(): Promise<{ server: Usage; devices: Usage }> {
    const { host, ...others } = await usageOf(await processesOf(this.dataDir));
    return { server: sumOf(Object.values(others)), devices: sumOf(host ? [host] : []) };
  }

  async remove(): Promise<void> {
    await this.lose();
    this.#network?.remove();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A network namespace that reaches this one by a pair of interfaces, and nothing else. */
export interface Network {
  name: string;
  /** Of the machine in it. */
  address: string;
  /** Nothing gets in or out any more. */
  cut(): void;
  remove(): void;
}

/** Makes the network of a machine; undefined where that is not allowed. */
export function makeNetwork(number: number): Network | undefined {
  const name = `terrarium-${process.pid}-${number}`;
  const subnet = freeSubnet(number);
  const ip = (...words: string[]) => execFileSync("ip", words, { stdio: "ignore" });
  const remove = () => {
    try {
      ip("netns", "del", name);
    } catch {
      // It was not made.
    }
  };
  try {
    const [outside, inside] = [`tr${process.pid % 100_000}o${number}`, `tr${process.pid % 100_000}i${number}`];
    ip("netns", "add", name);
    ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name);
    ip("addr", "add", `${subnet}.1/30`, "dev", outside);
    ip("link", "set", outside, "up");
    ip("-n", name, "addr", "add", `${subnet}.2/30`, "dev", inside);
    ip("-n", name, "link", "set", inside, "up");
    ip("-n", name, "link", "set", "lo", "up");
    return { name, address: `${subnet}.2`, cut: () => ip("-n", name, "link", "set", inside, "down"), remove };
  } catch {
    remove();
    return undefined;
  }
}

/** Of those for tests between networks (RFC 2544). */
function freeSubnet(number: number): string {
  const used = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
  for (let third = number; ; third += 8)
    if (!used.some((address) => address.startsWith(`198.18.${third}.`))) return `198.18.${third}`;
}
