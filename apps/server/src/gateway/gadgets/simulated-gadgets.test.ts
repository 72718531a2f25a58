import { TestClock } from "@terrarium/clock";
import { parseEvent } from "@terrarium/player";
import { aSpec, testDevice, type TestDevice } from "@terrarium/simulator/testing";
import type { MachineSpec } from "@terrarium/runtime";
import pino from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { DeviceGadgets } from "./device-gadgets.ts";
import type { GadgetCommand } from "./gadget.ts";

let opened: TestDevice[] = [];
afterEach(() => {
  for (const device of opened) device.stop();
  opened = [];
});

/** The gadgets of a simulated device, over adb, and what somebody who watches hears. */
async function create(formFactor: MachineSpec["hardware"]["formFactor"] = "PHONE") {
  const test = await testDevice({ spec: aSpec({ hardware: { formFactor } }) });
  opened.push(test);
  const heard: string[] = [];
  const hear = (message: string) => {
    const { type, message: said } = JSON.parse(message) as { type: string; message: unknown };
    heard.push(typeof said === "string" ? `${type} ${said}` : type);
  };
  const over = new AbortController();
  const gadgets = new DeviceGadgets(
    {
      shell: (command, options) => test.adb.shell(command, options),
      display: new FakeDisplay(),
      broadcast: hear,
      signal: over.signal,
      log: pino({ level: "silent" }),
    },
    new TestClock(0),
  );
  await gadgets.introduce(hear);
  const introduced = heard.splice(0);
  /** Sends as the player does. */
  const send = (channel: string, ...messages: string[]) => {
    for (const command of parseEvent(JSON.stringify({ channel, messages })) ?? [])
      gadgets.handle(command as GadgetCommand, hear);
  };
  const shell = async (command: string) => (await test.adb.shell(command)).stdout;
  return { introduced, heard, send, shell };
}

describe("on a simulated device", () => {
  it("everything is introduced as it is", async () => {
    const { introduced } = await create();
    expect(introduced).toEqual(
      expect.arrayContaining([
        "CAPABILITIES",
        "battery state mode discharging 86",
        "diskio readbyterate 0",
        "gps latitude 48.8566",
        "gps speed 0",
        "settings parameter device_id:358240054548789",
        "settings if wifi:on mobile:on",
        "baseband sim operator 00101",
        "baseband network operator_name Terrarium",
      ]),
    );
    expect(introduced.find((message) => message.startsWith("network_profile"))).toMatch(
      /^network_profile state phone .* mobile_profile:lte signal_strength:great$/,
    );
  });

  it("is not what needs a SIM, where there is none", async () => {
    const { introduced, heard, send, shell } = await create("TABLET");
    expect(introduced.join()).not.toMatch(/baseband|network_profile|device_id/);
    expect(introduced.join()).toMatch(/gps.*diskio|diskio.*gps/);
    send("baseband", "sms send 1 x");
    send("settings", "disableif wifi");
    expect(heard).toEqual(["settings if wifi:on mobile:on"]);
    expect(await shell("settings get global wifi_on")).toBe("1\n");
  });

  it("GPS is set whole, and what the device refuses is not shown", async () => {
    const { send, heard, shell } = await create();
    send("gps", "set altitude 15.04", "set longitude -18.53", "set latitude 65.96", "set accuracy 7");
    send("gps", "set bearing 270", "set speed 12.5", "enable");
    await expect.poll(() => heard).toContain("gps bearing 270");
    await expect
      .poll(() => shell("dumpsys location"))
      .toMatch("Location[gps 65.960000,-18.530000 hAcc=7 et=+0ms alt=15.04 vel=12.5 bear=270]");
    send("gps", "set latitude 91", "disable");
    await expect.poll(() => shell("dumpsys location")).toMatch("last location=null");
  });

  it("network has its switches, its kind and its bars", async () => {
    const { send, heard, shell } = await create();
    send("settings", "disableif wifi");
    await expect.poll(() => heard).toContain("settings if wifi:off mobile:on");
    send("settings", "disableif mobile");
    await expect.poll(() => heard).toContain("settings if wifi:off mobile:off");
    expect(await shell("settings get global wifi_on; settings get global mobile_data")).toBe("0\n0\n");
    send("settings", "enableif mobile");
    send("network_profile", "setprofile mobile edge", "setsignalstrength mobile poor", "notify phone");
    await expect
      .poll(() => shell("dumpsys telephony.registry; getprop gsm.network.type"))
      .toMatch(/level=1}[^]*\(EDGE\)\nEDGE/);
    await expect.poll(() => shell("dumpsys connectivity")).toMatch("LinkDnBandwidth>=70Kbps");
  });

  it("phone takes calls and messages in their order, whatever is in them", async () => {
    const { send, shell } = await create();
    send("baseband", "gsm call +33612345678");
    await expect
      .poll(() => shell("dumpsys telephony.registry"))
      .toMatch(/mCallState=1\n.*mCallIncomingNumber=\+33612345678/);
    send("baseband", "sms send 1234 one", "sms send 1234 '; reboot; $(id) \" `x` é漢🌱\nline two");
    await expect
      .poll(() => shell("content query --uri content://sms/inbox --projection address:body"))
      .toMatch("Row: 0 address=1234, body='; reboot; $(id) \" `x` é漢🌱\nline two\nRow: 1 address=1234, body=one\n");
    for (let text = 0; text < 40; text++) send("baseband", `sms send 5 ${text}`);
    await expect
      .poll(() => shell("content query --uri content://sms/inbox --where \"address='5'\" | wc -l"))
      .toMatch(/^16\n/);
  });

  it("SIM and operators are set together", async () => {
    const { send, heard, shell } = await create();
    send("baseband", "network operator 26201", "network operator_name Tele Kom", "sim operator 310260");
    send("baseband", "sim operator_name T $(id)", "sim imsi_id 123456789", "sim phone_number 555");
    await expect.poll(() => heard).toContain("baseband sim operator_name T $(id)");
    await expect
      .poll(() => shell("getprop gsm.operator.alpha; getprop gsm.sim.operator.alpha"))
      .toMatch("Tele Kom\nT $(id)\n");
    await expect
      .poll(() => shell("content query --uri content://telephony/siminfo"))
      .toMatch(/number=555.*imsi=310260123456789/);
  });

  it("identifiers are the two that the player has", async () => {
    const { send, heard, shell } = await create();
    send("framework", "set parameter android_id:0123456789ABCDEF");
    send("settings", "set parameter device_id:35824005000001");
    await expect.poll(() => heard).toContain("settings parameter android_id:0123456789abcdef");
    await expect
      .poll(() => shell("settings get secure android_id; cmd phone get-imei"))
      .toMatch("0123456789abcdef\nDevice IMEI: 35824005000001\n");
  });

  it("disk is slow, but never so slow that nothing starts", async () => {
    const { send, heard, shell } = await create();
    send("diskio", "set readbyterate 52428800", "clearcache");
    await expect.poll(() => heard).toContain("diskio readbyterate 52428800");
    await expect.poll(() => shell("cat /dev/blkio/blkio.throttle.read_bps_device")).toMatch("253:5 52428800");
    await expect.poll(() => shell("logcat -d")).toMatch("drop_caches: 3");
    send("diskio", "set readbyterate 1");
    await expect.poll(() => heard).toContain("diskio readbyterate 1048576");
    send("diskio", "set readbyterate 0");
    await expect.poll(() => heard).toContain("diskio readbyterate 0");
  });
});
