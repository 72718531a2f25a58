import { beforeAll, expect, it } from "vitest";
import { command, VERSION } from "../packet/constants.ts";
import { encodePacket } from "../packet/packet.ts";
import { PacketReader } from "../packet/packet-reader.ts";
import { AdbKey } from "./adb-key.ts";
import { authType, TOKEN_BYTES } from "./auth-message.ts";
import { KeyAnswerer } from "./key-answerer.ts";

let key: AdbKey;
beforeAll(async () => {
  key = new AdbKey(await AdbKey.generatePem(), "me@here");
});

const token = encodePacket({
  command: command.AUTH,
  arg0: authType.TOKEN,
  arg1: 0,
  payload: new Uint8Array(TOKEN_BYTES),
});
const greeting = encodePacket({ command: command.CNXN, arg0: VERSION, arg1: 4096, payload: Buffer.from("device::") });

/** What a device is answered, and what its host hears, when the device says this in chunks of `size`. */
async function talk(answerer: KeyAnswerer, bytes: Uint8Array, size = bytes.length) {
  const toHost: Uint8Array[] = [];
  const types: number[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const { toHost: heard, toDevice } = answerer.push(bytes.slice(at, at + size));
    if (heard) toHost.push(heard);
    if (toDevice) for (const { arg0 } of new PacketReader().push(await toDevice)) types.push(arg0);
  }
  return { toHost: Buffer.concat(toHost), types };
}

it.each([1, 2, 23, 24, 25, 44, 100])("answers the device, and not the host, in chunks of %i", async (size) => {
  const answerer = new KeyAnswerer(() => key);
  const asked = await talk(answerer, token, size);
  expect(asked).toEqual({ toHost: Buffer.alloc(0), types: [authType.SIGNATURE] });
  expect((await talk(answerer, token, size)).types).toEqual([authType.RSAPUBLICKEY]);
  const said = Buffer.concat([greeting, Buffer.from("and all that follows")]);
  expect(await talk(answerer, said, size)).toEqual({ toHost: said, types: [] });
  expect(answerer.hasGreeted).toBe(true);
});

it("refuses what no device asks", async () => {
  await expect(talk(new KeyAnswerer(undefined), token)).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
  const answerer = new KeyAnswerer(() => key);
  await talk(answerer, token);
  await talk(answerer, token);
  await expect(talk(answerer, token)).rejects.toMatchObject({ code: "AUTH_REFUSED" });
  const endless = new Uint8Array(token);
  new DataView(endless.buffer).setUint32(12, 0x7fffffff, true);
  expect(() => new KeyAnswerer(() => key).push(endless)).toThrow(/too long/);
});
