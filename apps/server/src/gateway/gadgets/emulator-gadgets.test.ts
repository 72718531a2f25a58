import { parseEvent } from "@terrarium/player";
import pino from "pino";
import { expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { fakeShell } from "../testing/fake-shell.ts";
import { settled } from "../testing/settled.ts";
import type { GadgetCommand, GadgetDevice, OpenGadget } from "./gadget.ts";
import { openGps } from "./gps.ts";
import { openPhone } from "./phone.ts";

/** A gadget of an emulator, and what its console is sent. */
async function create(open: OpenGadget, channel: string, kind: GadgetDevice["kind"] = "handheld") {
  const shell = fakeShell();
  shell.answer = () => ({ stdout: "last location=Location[gps 1.500000,-2.250000 hAcc=4.0]", exitCode: 0 });
  const sent: string[] = [];
  const heard: string[] = [];
  const hear = (message: string) => void heard.push(String((JSON.parse(message) as { message: unknown }).message));
  const { signal } = new AbortController();
  const device: GadgetDevice = {
    kind,
    sdkVersion: 29,
    isSimulated: false,
    shell: shell.run,
    console: { send: async (line) => (sent.push(line), "") },
    display: new FakeDisplay(),
    broadcast: hear,
    signal,
    log: pino({ level: "silent" }),
  };
  const gadget = await open(device, signal);
  return {
    gadget,
    heard,
    async send(...messages: string[]) {
      sent.length = heard.length = 0;
      for (const command of parseEvent(JSON.stringify({ channel, messages })) ?? [])
        gadget?.handle(command as GadgetCommand, hear);
      await settled();
      return sent;
    },
  };
}

it("sends an emulator places with altitude and speed, also before Android 12", async () => {
  const { gadget, send, heard } = await create(openGps, "gps");
  expect(gadget!.capabilities).toEqual(["gps"]);
  expect(await send("set longitude 2.35", "set latitude 48.85", "set altitude 35", "set speed 10")).toEqual([
    "geo fix 2.35 48.85 35 8 19.44",
  ]);
  expect(heard).toEqual(["latitude 48.85", "longitude 2.35", "altitude 35", "speed 10"]);
  expect(await send("disable")).toEqual([]);
});

it("calls an emulator, and sends it messages in one line each", async () => {
  const { gadget, send } = await create(openPhone, "baseband");
  expect(gadget!.capabilities).toEqual(["phone"]);
  expect(await send("gsm call +33123")).toEqual(["gsm call +33123"]);
  expect(await send("sms send +33123 one\ntwo \\n\r\nkill")).toEqual([String.raw`sms send +33123 one\ntwo \\n\nkill`]);
  expect(await send("sim operator 20801")).toEqual([]);
  expect((await create(openPhone, "baseband", "tv")).gadget).toBeUndefined();
});
