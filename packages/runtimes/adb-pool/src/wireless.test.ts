import { systemClock } from "@terrarium/clock";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { servicesIn, wirelessOf } from "./wireless.ts";

/** An adb server that answers each request with this. */
async function answering(answer: string) {
  const asked: string[] = [];
  const server = createServer((socket) =>
    socket.once("data", (data: Buffer) => {
      asked.push(String(data));
      socket.end(answer);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { asked, wireless: wirelessOf({ host: "127.0.0.1", port }, systemClock) };
}
const okay = (text: string) => `OKAY${text.length.toString(16).padStart(4, "0")}${text}`;

it("lists what phones say, and nothing else", async () => {
  const text = [
    "adb-R5CT10-abc\t_adb-tls-connect._tcp\t192.168.1.20:37123",
    "adb-R5CT10-xyz\t_adb-tls-pairing._tcp.\t192.168.1.20:41567",
    "printer\t_ipp._tcp\t192.168.1.30:631",
    "adb-odd\t_adb._tcp\tnowhere",
  ].join("\n");
  const { asked, wireless } = await answering(okay(text));
  expect(await wireless.nearby()).toEqual([
    { name: "adb-R5CT10-abc", address: "192.168.1.20:37123", can: "connect" },
    { name: "adb-R5CT10-xyz", address: "192.168.1.20:41567", can: "pair" },
  ]);
  expect(asked).toEqual(["0012host:mdns:services"]);
  expect(servicesIn("")).toEqual([]);
});

it("pairs and connects, and says why it could not", async () => {
  const paired = await answering(okay("Successfully paired to 192.168.1.20:41567 [guid=adb-R5CT10-abc]\n"));
  expect(await paired.wireless.pair("192.168.1.20:41567", "123456")).toContain("Successfully paired");
  expect(paired.asked).toEqual(["0023host:pair:123456:192.168.1.20:41567"]);
  const refused = await answering(okay("Failed: Wrong password or connection was dropped."));
  await expect(refused.wireless.pair("192.168.1.20:41567", "123456")).rejects.toThrow("Wrong password");
  const connected = await answering(okay("connected to [fe80::1]:5555"));
  expect(await connected.wireless.connect("[fe80::1]:5555")).toBe("connected to [fe80::1]:5555");
  const away = await answering(okay("failed to connect to 192.168.1.20:1"));
  await expect(away.wireless.connect("192.168.1.20:1")).rejects.toThrow("failed to connect");
  const old = await answering("FAIL0014unknown host service");
  await expect(old.wireless.nearby()).rejects.toThrow("adb 30 or newer");
});

it("asks the adb server for nothing else", async () => {
  const { asked, wireless } = await answering(okay("connected to everything"));
  for (const address of ["x:1\nhost:kill", "x:1;y", "x", "host:1:2"])
    await expect(wireless.connect(address)).rejects.toThrow("is not HOST:PORT");
  expect(asked).toEqual([]);
});
