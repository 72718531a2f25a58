import { TestClock } from "@terrarium/clock";
import { type Capabilities, parseEvent } from "@terrarium/player";
import pino from "pino";
import { expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { fakeShell } from "../testing/fake-shell.ts";
import { settled } from "../testing/settled.ts";
import { DeviceGadgets } from "./device-gadgets.ts";
import type { GadgetCommand } from "./gadget.ts";

/** An emulator, whose console refuses what is in `refuses`, and what somebody who watches hears. */
async function create({ refuses = "nothing", characteristics = "emulator" } = {}) {
  const fake = fakeShell();
  fake.characteristics = characteristics;
  const said: string[] = [];
  fake.answer = (words) => {
    if (words[0] === "svc") said.push(words.join(" "));
    return { stdout: "Location[gps 1.500000,-2.250000 hAcc=4.0 et=+1s]", exitCode: 0 };
  };
  const heard: string[] = [];
  let capabilities: Partial<Capabilities> = {};
  const hear = (message: string) => {
    const { type, message: text } = JSON.parse(message) as { type: string; message: unknown };
    if (type === "CAPABILITIES") capabilities = text as Capabilities;
    else heard.push(`${type} ${String(text)}`);
  };
  const gadgets = new DeviceGadgets(
    {
      shell: fake.run,
      console: {
        async send(command) {
          if (command.includes(refuses)) throw new Error("KO");
          said.push(command);
          return "";
        },
      },
      display: new FakeDisplay(),
      broadcast: hear,
      signal: new AbortController().signal,
      log: pino({ level: "silent" }),
    },
    new TestClock(0),
  );
  await gadgets.introduce(hear);
  const introduced = heard.splice(0);
  said.length = 0;
  const send = async (channel: string, ...messages: string[]) => {
    for (const command of parseEvent(JSON.stringify({ channel, messages })) ?? [])
      gadgets.handle(command as GadgetCommand, hear);
    await settled();
    return said.splice(0);
  };
  return { capabilities, introduced, heard, send };
}

it("an emulator has a place, calls, messages and a network by its console", async () => {
  const { capabilities, introduced, heard, send } = await create();
  const { gps, phone, network, mobileThrottling } = capabilities;
  expect([gps, phone, network, mobileThrottling]).toEqual([true, true, true, true]);
  expect(introduced).toEqual(expect.arrayContaining(["gps latitude 1.5", "gps altitude 0", "gps speed 0"]));
  expect(introduced.join()).not.toMatch(/accuracy|bearing/);

  const place = ["set altitude 15", "set longitude -18.53", "set latitude 65.96", "set accuracy 7", "set speed 10"];
  expect(await send("gps", ...place, "enable")).toEqual(["geo fix -18.53 65.96 15 10 19.44"]);
  expect(heard.splice(0)).toEqual(["gps latitude 65.96", "gps longitude -18.53", "gps altitude 15", "gps speed 10"]);

  expect(await send("baseband", "gsm call +331", "sms send 123 one\r\nkill é🌱", "sim phone_number 555")).toEqual([
    "gsm call +331",
    "sms send 123 one\\nkill é🌱",
  ]);

  expect(await send("network_profile", "setprofile mobile edge", "setsignalstrength mobile poor")).toEqual([
    "gsm data on",
    "network speed edge",
    "gsm signal-profile 1",
  ]);
  expect(await send("network_profile", "setprofile mobile none")).toEqual(["gsm data off"]);
  expect(await send("settings", "disableif wifi")).toEqual(["svc wifi disable"]);
  expect(heard.at(-2)).toBe("settings if wifi:off mobile:on");
});

it("what its console refuses is not told as done", async () => {
  const { heard, send } = await create({ refuses: "geo fix" });
  await send("gps", "set latitude 3", "enable");
  expect(heard).toContain("gps latitude 1.5");
});

it("one whose console lets nobody in is stock Android, and one without a modem has none", async () => {
  const { capabilities } = await create({ refuses: "avd" });
  expect([capabilities.phone, capabilities.network]).toEqual([false, false]);
  const { capabilities: ofTv } = await create({ characteristics: "emulator,tv" });
  expect([ofTv.phone, ofTv.network, ofTv.gps]).toEqual([false, false, true]);
});
