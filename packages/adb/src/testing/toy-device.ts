import type { DeviceServices, LocalSocketKind, ShellRequest, SocketHandler } from "../daemon/device-services.ts";
import { ReverseTable } from "../daemon/reverse-table.ts";
import { ToyFiles } from "./toy-files.ts";

const decoder = new TextDecoder();

/** A device with a handful of commands and files in memory, to put behind a daemon in tests. */
export class ToyDevice implements DeviceServices {
  readonly banner = { product: "toy", model: "Toy-1", device: "toy" };
  readonly files = new ToyFiles();
  readonly reverses = new ReverseTable();
  /** Every command line as it arrived. */
  readonly commands: string[] = [];
  /** The APKs that were installed. */
  readonly installed: Uint8Array[] = [];
  readonly reboots: string[] = [];
  /** Called when a command that hangs is aborted because its host is gone. */
  onAborted: (reason: unknown) => void = () => {};

  async shell(request: ShellRequest): Promise<number> {
    this.commands.push(request.command);
    const [name = "", ...words] = parseWords(request.command);
    const run = toyCommands[name];
    if (run) return await run(request, words, this);
    await request.stderr.write(`/system/bin/sh: ${name}: inaccessible or not found\n`);
    return 127;
  }

  /** `echo` answers what it hears, `sulk` never reads; every other name is unknown. */
  localSocket(name: string, kind: LocalSocketKind): SocketHandler | undefined {
    if (kind === "abstract" && name === "sulk") return () => {};
    if (kind === "abstract" && name === "echo") return echo;
    return undefined;
  }

  tcp(port: number): SocketHandler | undefined {
    return port === 7 ? echo : undefined;
  }

  reboot(mode: string): void {
    this.reboots.push(mode);
  }
}

const echo: SocketHandler = async (stream) => {
  for await (const bytes of stream) await stream.write(bytes);
};

type ToyCommand = (request: ShellRequest, words: string[], device: ToyDevice) => Promise<number>;

const toyCommands: Readonly<Record<string, ToyCommand>> = {
  async echo({ stdout }, words) {
    await stdout.write(`${words.join(" ")}\n`);
    return 0;
  },
  async complain({ stdout, stderr }, [code]) {
    await stdout.write("out\n");
    await stderr.write("err\n");
    return Number(code);
  },
  async cat({ stdin, stdout }) {
    for await (const bytes of stdin) await stdout.write(bytes);
    return 0;
  },
  async flood({ stdout }, [bytes]) {
    const chunk = new Uint8Array(65_536).fill(0x66);
    for (let left = Number(bytes); left > 0; left -= chunk.length) await stdout.write(chunk.subarray(0, left));
    return 0;
  },
  async hang({ signal, stdout }, _words, device) {
    await stdout.write("hanging\n");
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    device.onAborted(signal.reason);
    return 0;
  },
  async break() {
    throw new Error("a defect");
  },
  async connect({ stdout, stderr, signal }, [address = "", text = ""], device) {
    const stream = await device.reverses.connect(address, signal);
    if (!stream) {
      await stderr.write("nobody listens\n");
      return 1;
    }
    await stream.write(new TextEncoder().encode(text));
    const answer = await stream.read();
    await stdout.write(answer ?? "");
    stream.close();
    return 0;
  },
  async size({ stdout, onResize, stdin }) {
    onResize(({ rows, columns }) => void stdout.write(`${rows}x${columns}\n`).catch(() => {}));
    for await (const _ of stdin);
    return 0;
  },
  async terminal({ stdout, pty, term }) {
    await stdout.write(pty ? `terminal ${term}\n` : "no terminal\n");
    return 0;
  },
  async export({ stdout }, words) {
    await stdout.write(`${words.join("|")}\n`);
    return 0;
  },
  async cmd({ stdin, stdout }, words, device) {
    const size = Number(words[words.indexOf("-S") + 1]);
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const bytes of stdin) {
      parts.push(bytes.slice());
      length += bytes.length;
      if (length >= size) break;
    }
    const apk = new Uint8Array(Buffer.concat(parts));
    if (decoder.decode(apk.subarray(0, 2)) !== "PK") {
      await stdout.write("Failure [INSTALL_PARSE_FAILED_NOT_APK: no zip]\n");
      return 1;
    }
    device.installed.push(apk);
    await stdout.write("Success\n");
    return 0;
  },
};

/** Words as a shell parts them, with single and double quotes and backslashes. */
function parseWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/gs) ?? [];
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/gs, (_, single?: string, double?: string, escaped?: string) =>
      [single, double, escaped].join(""),
    ),
  );
}
