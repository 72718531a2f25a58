import { describe, expect, it } from "vitest";
import { AdbConnection } from "../connection/adb-connection.ts";
import type { AdbStream } from "../connection/adb-stream.ts";
import { encodeShellFrame, shellId } from "../shell/shell-frame.ts";
import { syncId } from "../sync/constants.ts";
import { encodeBlock, encodeFrame } from "../sync/sync-frame.ts";
import { MemoryDuplex } from "../testing/memory-duplex.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { readAll } from "../client/read-all.ts";
import { serveAdb } from "./serve-adb.ts";

const text = (value: string) => new TextEncoder().encode(value);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** A connected host that says what it likes to a toy device. */
function createHost() {
  const device = new ToyDevice();
  const reports: unknown[] = [];
  const [host, peer] = MemoryDuplex.pair();
  const daemon = serveAdb(peer, {
    banner: device.banner,
    services: device,
    reverses: device.reverses,
    report: (error) => reports.push(error),
  });
  return { device, daemon, reports, host: new AdbConnection(host, { role: "host", banner: "host::" }) };
}

/** All that the device answers to these bytes until it closes the stream. */
async function answerTo(stream: AdbStream, bytes: Uint8Array): Promise<string> {
  const answer = readAll(stream, 1_000_000);
  await stream.write(bytes).catch(() => {});
  return new TextDecoder("latin1").decode(await answer);
}

const quit = encodeFrame(syncId.QUIT);
const send = (pathAndMode: string) => encodeBlock(syncId.SEND, text(pathAndMode));

describe("a hostile host", () => {
  const requests: [string, Uint8Array, string][] = [
    ["a path that is too long", encodeFrame(syncId.STAT, 1025), "FAIL\x0d\0\0\0path too long"],
    ["a path of 4 GB", encodeFrame(syncId.RECV, 0xffffffff), "FAIL\x0d\0\0\0path too long"],
    ["a request nobody knows", encodeBlock(0x41414141, text("/")), "FAIL\x0f\0\0\0unknown command"],
    ["a file without a mode", send("/f"), "FAIL\x14\0\0\0missing , in ID_SEND"],
    ["a mode that is none", send("/f,$(id)"), "FAIL\x14\0\0\0missing , in ID_SEND"],
    ["a mode with too many bits", send("/f,4294967296"), "FAIL\x14\0\0\0missing , in ID_SEND"],
    [
      "data longer than a frame may be",
      join(send("/f,33188"), encodeFrame(syncId.DATA, 65_537)),
      "FAIL\x15\0\0\0oversize data message",
    ],
    [
      "something else than data",
      join(send("/f,33188"), encodeFrame(syncId.STAT, 0)),
      "FAIL\x14\0\0\0invalid data message",
    ],
  ];
  for (const [what, bytes, answer] of requests)
    it(`is told off for ${what}`, async () => {
      const { host, device, reports } = createHost();
      const stream = await host.open("sync:");
      expect(await answerTo(stream, join(bytes, quit))).toBe(answer);
      expect([device.files.files.size, reports]).toEqual([0, []]);
    });

  it("leaves no half file when it goes away", async () => {
    const { host, device, daemon } = createHost();
    const stream = await host.open("sync:");
    await stream.write(join(send("/f,33188"), encodeBlock(syncId.DATA, text("half"))));
    stream.close();
    const other = await host.open("sync:");
    expect(await answerTo(other, quit)).toBe("");
    expect([device.files.files.size, device.files.discarded, daemon.gone.aborted]).toEqual([0, 1, false]);
  });

  it("loses its stream for a shell frame of 4 GB, and nothing else", async () => {
    const { host, daemon } = createHost();
    const stream = await host.open("shell,v2,raw:cat");
    expect(await answerTo(stream, new Uint8Array([0, 0xff, 0xff, 0xff, 0xff]))).toBe("");
    expect(daemon.gone.aborted).toBe(false);
  });

  it("cannot send a window size that is none", async () => {
    const { host } = createHost();
    const stream = await host.open("shell,v2,pty:size");
    const frames = ["-1x1,1x1", "axb", "999999x1,1x1"].map((data) =>
      encodeShellFrame({ id: shellId.windowSize, data: text(data) }),
    );
    const end = encodeShellFrame({ id: shellId.closeStdin, data: text("") });
    expect(await answerTo(stream, join(...frames, end))).toBe("\x03\x01\0\0\0\0");
  });

  it("registers so many reverses and no more", async () => {
    const { host } = createHost();
    const answers: string[] = [];
    for (let port = 1; port <= 257; port++)
      answers.push(await answerTo(await host.open(`reverse:forward:tcp:${port};tcp:1`), text("")));
    expect([answers[255], answers[256]]).toEqual(["OKAY", "FAIL0012too many listeners"]);
  });

  for (const request of [
    "forward:tcp:1",
    "forward:;tcp:1",
    "forward:tcp:1;",
    "forward:a\nb;c",
    "killforward:",
    "nonsense",
    "",
  ])
    it(`gets FAIL for reverse:${JSON.stringify(request)}`, async () => {
      const { host } = createHost();
      expect(await answerTo(await host.open(`reverse:${request}`), text(""))).toMatch(/^FAIL[0-9a-f]{4}\w/);
    });

  it.each([
    "",
    ":",
    "jdwp:1",
    "track-jdwp",
    "tcp:99999999",
    "tcp:1:10.0.0.1",
    "dev:/dev/mem",
    "constructor:",
    "toString",
    "__proto__:",
  ])("is refused %j, which the device does not have", async (service) => {
    const { host } = createHost();
    await expect(host.open(service)).rejects.toMatchObject({ code: "REFUSED" });
  });
});
