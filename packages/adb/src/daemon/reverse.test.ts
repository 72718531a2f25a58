import { describe, expect, it } from "vitest";
import { AdbConnection } from "../connection/adb-connection.ts";
import { readAll } from "../client/read-all.ts";
import { MemoryDuplex } from "../testing/memory-duplex.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { ReverseTable } from "./reverse-table.ts";
import { serveAdb } from "./serve-adb.ts";

/** A host at a device, which answers what the device opens on it with its name. */
function aHost(reverses: ReverseTable, name: string) {
  const device = new ToyDevice();
  const [host, peer] = MemoryDuplex.pair();
  const daemon = serveAdb(peer, { banner: device.banner, services: device, reverses });
  const opened: string[] = [];
  const connection = new AdbConnection(host, {
    role: "host",
    banner: "host::",
    onOpen: (service) => (opened.push(service), (stream) => stream.write(new TextEncoder().encode(name))),
  });
  const reverse = async (request: string) =>
    new TextDecoder().decode(await readAll(await connection.open(`reverse:${request}`), 10_000));
  return { daemon, connection, opened, reverse };
}

async function heard(reverses: ReverseTable, address: string): Promise<string | undefined> {
  const stream = await reverses.connect(address);
  const bytes = await stream?.read();
  stream?.close();
  return bytes && new TextDecoder().decode(bytes);
}

describe("reverse:", () => {
  it("leads connections of the device to the host that asked for them", async () => {
    const reverses = new ReverseTable();
    const { reverse, opened } = aHost(reverses, "one");
    expect(await reverse("forward:localabstract:demo;tcp:8080")).toBe("OKAY");
    expect(await heard(reverses, "localabstract:demo")).toBe("one");
    expect(opened).toEqual(["tcp:8080"]);
    expect(await heard(reverses, "localabstract:other")).toBeUndefined();
  });

  it("answers a free port with its length before it, each time another", async () => {
    const { reverse } = aHost(new ReverseTable(), "one");
    expect(await reverse("forward:tcp:0;tcp:1")).toBe("OKAY000532768");
    expect(await reverse("forward:tcp:0;tcp:1")).toBe("OKAY000532769");
  });

  it("lists what is listened at, without an OKAY", async () => {
    const { reverse } = aHost(new ReverseTable(), "one");
    expect(await reverse("list-forward")).toBe("0000");
    await reverse("forward:tcp:1;tcp:2");
    await reverse("forward:localabstract:a;localabstract:b");
    expect(await reverse("list-forward")).toBe(
      "0040(reverse) tcp:1 tcp:2\n(reverse) localabstract:a localabstract:b\n",
    );
  });

  it("gives an address to who asks for it last, unless that is not wanted", async () => {
    const reverses = new ReverseTable();
    const [one, two] = [aHost(reverses, "one"), aHost(reverses, "two")];
    await one.reverse("forward:tcp:1;tcp:1");
    expect(await two.reverse("forward:norebind:tcp:1;tcp:1")).toBe("FAIL001dcannot rebind existing socket");
    expect(await heard(reverses, "tcp:1")).toBe("one");
    expect(await two.reverse("forward:tcp:1;tcp:1")).toBe("OKAY");
    expect(await heard(reverses, "tcp:1")).toBe("two");
  });

  it("ends one, or all", async () => {
    const reverses = new ReverseTable();
    const { reverse } = aHost(reverses, "one");
    for (const port of [1, 2, 3]) await reverse(`forward:tcp:${port};tcp:1`);
    expect(await reverse("killforward:tcp:2")).toBe("OKAY");
    expect(await reverse("killforward:tcp:2")).toBe("FAIL001alistener 'tcp:2' not found");
    expect(reverses.format()).toBe("(reverse) tcp:1 tcp:1\n(reverse) tcp:3 tcp:1\n");
    expect(await reverse("killforward-all")).toBe("OKAY");
    expect(reverses.format()).toBe("");
  });

  it("forgets a host's addresses when it leaves, and no others", async () => {
    const reverses = new ReverseTable();
    const [one, two] = [aHost(reverses, "one"), aHost(reverses, "two")];
    await one.reverse("forward:tcp:1;tcp:1");
    await two.reverse("forward:tcp:2;tcp:1");
    const gone = new Promise((resolve) => one.daemon.gone.addEventListener("abort", resolve));
    one.connection.close();
    await gone;
    expect(reverses.format()).toBe("(reverse) tcp:2 tcp:1\n");
  });

  it("takes an address again when there are as many as may be", async () => {
    const reverses = new ReverseTable();
    const { reverse } = aHost(reverses, "one");
    for (let port = 1; port <= 256; port++) await reverse(`forward:tcp:${port};tcp:1`);
    expect(await reverse("forward:tcp:300;tcp:1")).toBe("FAIL0012too many listeners");
    expect(await reverse("forward:tcp:256;tcp:2")).toBe("OKAY");
  });
});
