import { beforeAll, describe, expect, it } from "vitest";
import { connectAdb, type ConnectOptions } from "../client/connect-adb.ts";
import { serveAdb } from "../daemon/serve-adb.ts";
import type { AdbError } from "../errors.ts";
import { MAX_PAYLOAD_BYTES, VERSION } from "../packet/constants.ts";
import { goldenKey } from "../testing/golden-key.ts";
import { MemoryDuplex, type MemoryDuplexOptions } from "../testing/memory-duplex.ts";
import { ScriptedPeer } from "../testing/scripted-peer.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { AdbKey } from "./adb-key.ts";
import { type AuthMessage, authType, TOKEN_BYTES } from "./auth-message.ts";
import { deviceAuth, type DeviceAuthOptions } from "./device-auth.ts";

let key: AdbKey;
beforeAll(async () => {
  key = new AdbKey(await AdbKey.generatePem(), "me@here");
});

/** A toy device that lets in only who it knows. */
function serve(duplex: MemoryDuplex | ScriptedPeer, auth: DeviceAuthOptions) {
  const device = new ToyDevice();
  const reports: unknown[] = [];
  const daemon = serveAdb(duplex, {
    banner: device.banner,
    services: device,
    auth,
    report: (error) => reports.push(error),
  });
  return { daemon, reports };
}

const knowing = (...lines: string[]): DeviceAuthOptions => ({ keys: () => lines });

/** A host with this key at such a device. */
async function meet(auth: DeviceAuthOptions, options: ConnectOptions = {}, duplex: MemoryDuplexOptions = {}) {
  const [host, peer] = MemoryDuplex.pair(duplex);
  const { daemon } = serve(peer, auth);
  return { daemon, link: await connectAdb(host, options) };
}

describe("a device that asks for a key", () => {
  it("lets in a host whose key it knows, among others", async () => {
    const { link } = await meet(knowing("# a comment", goldenKey.line, key.publicKey), { key: () => key });
    expect((await link.shell("echo in")).stdout).toBe("in\n");
  });

  it.each([1, 2, 3, 7, 23, 24, 25, 100, 300])("is understood in chunks of %i", async (chunkBytes) => {
    for (const auth of [knowing(key.publicKey), { keys: () => [], accept: () => true }]) {
      const { link } = await meet(auth, { key: () => key }, { chunkBytes });
      expect(link.banner.model).toBe("Toy-1");
    }
  });

  it("is shown a key that it does not know, and lets it in when it is accepted", async () => {
    const shown: string[] = [];
    const accept = async (line: string) => shown.push(line) === 1;
    const { link } = await meet({ keys: () => [goldenKey.line], accept }, { key: () => key });
    expect((await link.shell("echo in")).stdout).toBe("in\n");
    expect(shown).toEqual([key.publicKey]);
  });

  it("refuses a key that is not accepted, or that nobody is asked about", async () => {
    for (const auth of [knowing(goldenKey.line), { keys: () => [], accept: () => false }])
      await expect(meet(auth, { key: () => key })).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("is told apart by a host that has no key", async () => {
    await expect(meet(knowing(key.publicKey))).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
  });

  it("lets a host give up while its user thinks, and the user hear of it", async () => {
    let left: Promise<unknown> | undefined;
    const giveUp = new AbortController();
    const accept = (_line: string, gone: AbortSignal) => {
      left = new Promise((resolve) => gone.addEventListener("abort", resolve));
      giveUp.abort(new Error("too slow"));
      return new Promise<boolean>(() => {});
    };
    const meeting = meet({ keys: () => [], accept }, { key: () => key, signal: giveUp.signal });
    await expect(meeting).rejects.toThrow(/too slow/);
    await left;
  });

  it("does not ask for the key where no device wants it", async () => {
    let asked = 0;
    const [host, peer] = MemoryDuplex.pair();
    const device = new ToyDevice();
    serveAdb(peer, { banner: device.banner, services: device });
    await connectAdb(host, { key: () => (asked++, key) });
    expect(asked).toBe(0);
  });

  it("is not let know why a key cannot be read", async () => {
    const broken = () => Promise.reject(new Error("EACCES: permission denied"));
    const reports: unknown[] = [];
    const meeting = meet(knowing(key.publicKey), { key: broken, report: (error) => reports.push(error) });
    await expect(meeting).rejects.toMatchObject({
      code: "AUTH_REFUSED",
      cause: new Error("EACCES: permission denied"),
    });
    expect(reports).toHaveLength(1);
  });
});

/** A device that asks for a key, and the host played by hand. */
function hostByHand(auth: DeviceAuthOptions = knowing(goldenKey.line)) {
  const peer = new ScriptedPeer();
  return { peer, ...serve(peer, auth) };
}

const codeOf = (signal: AbortSignal) => (signal.reason as AdbError | undefined)?.code;

describe("a hostile host, before it is let in", () => {
  it("gains nothing by a signature of an earlier token", async () => {
    const auth = deviceAuth(knowing(key.publicKey));
    const sign = ({ data }: AuthMessage) => ({ type: authType.SIGNATURE, data: key.sign(data) });
    const gone = new AbortController().signal;
    const first = auth.ask!();
    const second = await auth.answer({ type: authType.SIGNATURE, data: new Uint8Array(256) }, gone);
    const third = (await auth.answer(sign(first), gone)) as AuthMessage;
    expect([second, third]).toEqual([
      { type: authType.TOKEN, data: expect.anything() },
      { type: authType.TOKEN, data: expect.anything() },
    ]);
    expect(await auth.answer(sign(third), gone)).toBe("accepted");
  });

  it("is sent a new token for each wrong signature, and away after 32", async () => {
    const { peer, daemon } = hostByHand();
    peer.connect();
    expect(await peer.sent()).toEqual([`AUTH ${authType.TOKEN} 0 ${TOKEN_BYTES}`]);
    for (let tries = 1; tries <= 32; tries++) {
      peer.say("AUTH", authType.SIGNATURE, 0, new Uint8Array(256));
      expect(await peer.sent()).toEqual([`AUTH ${authType.TOKEN} 0 ${TOKEN_BYTES}`]);
    }
    peer.say("AUTH", authType.SIGNATURE, 0, new Uint8Array(256));
    expect(await peer.sent()).toEqual([]);
    expect(codeOf(daemon.gone)).toBe("AUTH_REFUSED");
  });

  it("gains nothing by a signature of another token", async () => {
    const { peer } = hostByHand();
    peer.connect();
    await peer.sent();
    peer.say("AUTH", authType.SIGNATURE, 0, goldenKey.signature);
    expect(await peer.sent()).toEqual([`AUTH ${authType.TOKEN} 0 ${TOKEN_BYTES}`]);
  });

  const sentences: [string, (peer: ScriptedPeer) => void][] = [
    ["opens a service", (peer) => peer.say("OPEN", 1, 0, "shell:id\0")],
    ["connects again", (peer) => peer.connect()],
    ["says what it will be asked", (peer) => peer.say("AUTH", authType.TOKEN, 0, new Uint8Array(20))],
    ["says an AUTH of no known kind", (peer) => peer.say("AUTH", 99, 0, new Uint8Array(20))],
    ["offers a key that is none", (peer) => peer.say("AUTH", authType.RSAPUBLICKEY, 0, "QUFB me@here\0")],
    ["offers a key of 4 kB", (peer) => peer.say("AUTH", authType.RSAPUBLICKEY, 0, "A".repeat(4096))],
    [
      "does not wait for an answer",
      (peer) => {
        for (let each = 0; each < 2; each++) peer.say("AUTH", authType.SIGNATURE, 0, new Uint8Array(256));
      },
    ],
  ];
  it.each(sentences)("is sent away when it %s", async (_what, say) => {
    const { peer, daemon, reports } = hostByHand();
    peer.connect();
    await peer.sent();
    say(peer);
    await peer.sent();
    expect([codeOf(daemon.gone), peer.isClosed, reports]).toEqual(["PROTOCOL", true, []]);
  });

  it("cannot answer before it connects, or once it is in", async () => {
    const early = hostByHand();
    early.peer.say("AUTH", authType.SIGNATURE, 0, new Uint8Array(256));
    expect(codeOf(early.daemon.gone)).toBe("PROTOCOL");
    const late = hostByHand({ keys: () => [], accept: () => true });
    late.peer.connect();
    late.peer.say("AUTH", authType.RSAPUBLICKEY, 0, `${goldenKey.line}\0`);
    await late.daemon.connected;
    late.peer.say("AUTH", authType.RSAPUBLICKEY, 0, `${goldenKey.line}\0`);
    expect(codeOf(late.daemon.gone)).toBe("PROTOCOL");
  });
});

describe("a hostile device", () => {
  /** A host with a key, and the device played by hand. */
  async function deviceByHand() {
    const peer = new ScriptedPeer();
    const connecting = connectAdb(peer, { key: () => key });
    connecting.catch(() => {});
    await peer.sent();
    return { peer, connecting, ask: (length = 20) => peer.say("AUTH", authType.TOKEN, 0, new Uint8Array(length)) };
  }

  it("gets one signature and one public key, and nothing more", async () => {
    const { peer, connecting, ask } = await deviceByHand();
    ask();
    expect(await peer.sent()).toEqual([`AUTH ${authType.SIGNATURE} 0 256`]);
    ask();
    expect(await peer.sent()).toEqual([`AUTH ${authType.RSAPUBLICKEY} 0 ${key.publicKey.length + 1}`]);
    ask();
    await expect(connecting).rejects.toMatchObject({ code: "AUTH_REFUSED" });
    expect(await peer.sent()).toEqual([]);
  });

  it.each([0, 19, 21, 256, 4096])("gets no signature of %i bytes that are no token", async (length) => {
    const { peer, connecting, ask } = await deviceByHand();
    ask(length);
    await expect(connecting).rejects.toMatchObject({ code: "PROTOCOL" });
    expect(await peer.sent()).toEqual([]);
  });

  it("cannot ask again once it has let the host in", async () => {
    const { peer, connecting, ask } = await deviceByHand();
    peer.say("CNXN", VERSION, MAX_PAYLOAD_BYTES, "device::");
    const link = await connecting;
    ask();
    expect(codeOf(link.gone)).toBe("PROTOCOL");
  });

  it("is told that TLS is not spoken", async () => {
    const { peer, connecting } = await deviceByHand();
    peer.say("STLS", VERSION, 0);
    await expect(connecting).rejects.toMatchObject({ code: "AUTH_REQUIRED", message: expect.stringContaining("TLS") });
  });
});
