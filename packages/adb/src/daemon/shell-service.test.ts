import { describe, expect, it } from "vitest";
import { AdbConnection } from "../connection/adb-connection.ts";
import { AdbError } from "../errors.ts";
import { encodeShellFrame, shellId } from "../shell/shell-frame.ts";
import { encodeWindowSize } from "../shell/window-size.ts";
import { MemoryDuplex } from "../testing/memory-duplex.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { readAll } from "../client/read-all.ts";
import type { ShellRequest } from "./device-services.ts";
import { serveAdb } from "./serve-adb.ts";
import { parseShellService } from "./shell-service.ts";

const text = (value: string) => new TextEncoder().encode(value);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const frame = (name: keyof typeof shellId, data: Uint8Array | string = "") =>
  encodeShellFrame({ id: shellId[name], data: typeof data === "string" ? text(data) : data });
const exit = (code: number) => frame("exit", new Uint8Array([code]));

/** A device whose shell does this. */
function create(shell: (request: ShellRequest) => Promise<number>) {
  const device = new ToyDevice();
  device.shell = shell;
  const reports: unknown[] = [];
  const [host, peer] = MemoryDuplex.pair();
  const daemon = serveAdb(peer, {
    banner: device.banner,
    services: device,
    report: (error) => reports.push(error),
  });
  const connection = new AdbConnection(host, { role: "host", banner: "host::" });
  /** All that is printed, until the stream ends. */
  const run = async (service: string, ...input: Uint8Array[]) => {
    const stream = await connection.open(service);
    const output = readAll(stream, 10_000_000);
    if (input.length > 0) await stream.write(join(...input)).catch(() => {});
    return await output;
  };
  return { daemon, connection, reports, run };
}

describe("parseShellService", () => {
  const plain = { pty: false, term: undefined, framed: false };
  it.each([
    ["shell:ls -l", { ...plain, command: "ls -l" }],
    ["shell:", { ...plain, command: "", pty: true }],
    ["shell,v2:ls", { ...plain, command: "ls", framed: true }],
    ["shell,v2,raw:", { ...plain, command: "", framed: true }],
    [
      "shell,v2,TERM=xterm-256color,pty:vi a:b,c",
      { command: "vi a:b,c", pty: true, term: "xterm-256color", framed: true },
    ],
    ["exec:cat", { ...plain, command: "cat" }],
    ["exec:", { ...plain, command: "" }],
    ["exec,v2:cat", { ...plain, command: "cat" }],
    ["shell:a\nb", { ...plain, command: "a\nb" }],
  ])("reads %j", (service, expected) => expect(parseShellService(service)).toEqual(expected));

  it.each(["shell", "shellx:ls", "xshell:ls", "sync:", "shell,v2", ""])("takes %j for another service", (service) =>
    expect(parseShellService(service)).toBeUndefined(),
  );
});

describe("a shell with frames", () => {
  it("gives output, errors and the exit code apart, in their order", async () => {
    const { run } = create(async ({ stdout, stderr }) => {
      await stdout.write("one");
      await stderr.write("two");
      await stdout.write("three");
      return 258;
    });
    expect(await run("shell,v2,raw:x")).toEqual(
      // An exit code has one byte.
      join(frame("stdout", "one"), frame("stderr", "two"), frame("stdout", "three"), exit(2)),
    );
  });

  it("cuts output to 64 KiB a frame", async () => {
    const bytes = new Uint8Array(100_000).fill(7);
    const { run } = create(async ({ stdout }) => (await stdout.write(bytes), 0));
    expect(await run("shell,v2,raw:x")).toEqual(
      join(frame("stdout", bytes.subarray(0, 65_536)), frame("stdout", bytes.subarray(65_536)), exit(0)),
    );
  });

  it("gives a command its input until that is closed", async () => {
    const { run } = create(async ({ stdin, stdout }) => {
      for await (const part of stdin) await stdout.write(part);
      await stdout.write("end");
      return 0;
    });
    const input = [frame("stdin", "one "), frame("stdin", ""), frame("stdin", "two "), frame("closeStdin")];
    expect(new TextDecoder().decode(await run("shell,v2,raw:x", ...input)).replaceAll(/[^ -~]/g, "")).toBe(
      "one two end",
    );
  });

  it("ends a command that reads no input although there is some", async () => {
    const { run } = create(async () => 3);
    expect(await run("shell,v2,raw:x", frame("stdin", "x".repeat(1000)))).toEqual(exit(3));
  });

  it("tells sizes of the window, also one that came before anyone asked", async () => {
    const sizes: unknown[] = [];
    const { run } = create(async ({ stdin, onResize }) => {
      for await (const _ of stdin) break;
      onResize((size) => sizes.push(size));
      return 0;
    });
    const size = { rows: 24, columns: 80, widthPx: 1, heightPx: 2 };
    await run("shell,v2,pty:x", frame("windowSize", encodeWindowSize(size)), frame("stdin", "go"));
    expect(sizes).toEqual([size]);
  });

  it("says that the shell failed when it has a defect, and reports it", async () => {
    const defect = new TypeError("secret");
    const { run, reports } = create(async () => Promise.reject(defect));
    expect(await run("shell,v2,raw:x")).toEqual(join(frame("stderr", "shell: internal error\n"), exit(1)));
    expect(reports).toEqual([defect]);
  });

  it("ends, and reports nothing, when the command fails by the host's doing", async () => {
    // As a command does that connects to a reverse which the host refuses.
    const { run, reports } = create(async () => Promise.reject(new AdbError("REFUSED", "nobody listens")));
    expect(await run("shell,v2,raw:x")).toEqual(join(frame("stderr", "shell: internal error\n"), exit(1)));
    expect(reports).toEqual([]);
  });

  it("tells a command that its host has closed the stream, and reports nothing of what it throws then", async () => {
    const told = Promise.withResolvers<unknown>();
    const { connection, daemon, reports } = create(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            told.resolve(signal.reason);
            reject(new TypeError("late"));
          }),
        ),
    );
    (await connection.open("shell,v2,raw:x")).close();
    expect(await told.promise).toMatchObject({ code: "STREAM_CLOSED" });
    await new Promise((resolve) => setImmediate(resolve));
    expect([reports, daemon.gone.aborted]).toEqual([[], false]);
  });
});

describe("a shell without frames", () => {
  it.each(["shell:x", "exec:x"])("%s is output alone, errors among it, and no exit code", async (service) => {
    const { run } = create(async ({ stdout, stderr }) => {
      await stdout.write("one ");
      await stderr.write("two");
      return 9;
    });
    expect(await run(service)).toEqual(text("one two"));
  });

  it("can still print after it has stopped reading", async () => {
    const { run } = create(async ({ stdin, stdout }) => {
      for await (const _ of stdin) break;
      await stdout.write("enough");
      return 0;
    });
    expect(await run("exec:x", text("some input"))).toEqual(text("enough"));
  });
});
