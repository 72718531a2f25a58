import { TestClock } from "@terrarium/clock";
import { Scenario } from "@terrarium/contract";
import { parseEvent } from "@terrarium/player";
import { describe, expect, it } from "vitest";
import type { GadgetCommand } from "../gadgets/gadget.ts";
import { changeOf, commandsOf } from "./commands-of.ts";
import { RecordedChanges } from "./recorded-changes.ts";

const upright = { width: 100, height: 200 };
const commandsIn = (channel: string, ...messages: string[]) =>
  (parseEvent(JSON.stringify({ channel, messages })) ?? []) as GadgetCommand[];

describe("a command of a tool", () => {
  it.each([
    ["battery", "set state level 42", "set state status charging", "set state status discharging"],
    ["gps", "set latitude 1.5", "set longitude 2", "set altitude 3", "set accuracy 4", "set bearing 5", "set speed 6"],
    ["gps", "enable", "disable"],
    ["settings", "enableif wifi", "disableif mobile", "set parameter device_id:358240054548789"],
    ["network_profile", "setprofile mobile lte", "setsignalstrength mobile poor"],
    ["baseband", "gsm call +33123", "sms send 12 two words", "sim operator 20801", "network operator 20802"],
    ["baseband", "sim operator_name A b", "network operator_name C", "sim imsi_id 123456789", "sim phone_number +1"],
    ["framework", "set parameter android_id:0123456789abcdef"],
    ["diskio", "set readbyterate 5000000"],
  ])("of %s is a step that does the same", (channel, ...messages) => {
    const commands = commandsIn(channel, ...messages);
    expect(commands.length).toBe(messages.length);
    for (const command of commands) {
      const [step] = Scenario.parse({ steps: [changeOf(command)] }).steps;
      expect(commandsOf(step!, upright)).toEqual([command]);
    }
  });

  it("is no step if it was copied, or changes nothing of the device", () => {
    const copied = commandsIn("framework", `set_device_clipboard ${btoa("secret")}`);
    expect(copied.length).toBe(1);
    expect([...copied, ...commandsIn("battery", "notify all")].map(changeOf)).toEqual([undefined, undefined]);
  });

  it("turns the device when it is not held so", () => {
    const turns = (["portrait", "landscape", "quarter"] as const).map(
      (rotation) => commandsOf({ rotation }, upright).length,
    );
    expect(turns).toEqual([0, 1, 1]);
    expect(changeOf({ type: "rotate" })).toEqual({ rotation: "quarter" });
    expect(commandsOf({ fingerprint: "dirty", clipboard: "x" }, upright)).toEqual([
      { channel: "framework", type: "clipboard", text: "x" },
      { channel: "fingerprint", type: "fingerprintScan", result: "dirty" },
    ]);
  });
});

describe("what was set", () => {
  it("is a scenario: what follows at once is one step, and what happens twice are two", async () => {
    const clock = new TestClock(0);
    const recorded = new RecordedChanges(clock);
    const add = (channel: string, ...messages: string[]) => {
      for (const command of commandsIn(channel, ...messages)) recorded.add(command);
    };
    expect(recorded.scenario()).toBeUndefined();
    await clock.advance(5000);
    add("battery", "set state level 50", "set state level 42", "set state status charging");
    await clock.advance(1500);
    add("gps", "set latitude 1", "set longitude 2");
    add("baseband", "sms send 1 a", "sms send 1 a");
    await clock.advance(1000);
    add("battery", "set state level 41");
    const scenario = recorded.scenario();
    expect(scenario?.steps).toEqual([
      { after: 0, battery: { level: 42, charging: true } },
      { after: 1.5, place: { latitude: 1, longitude: 2 } },
      { after: 0, sms: { from: "1", text: "a" } },
      { after: 0, sms: { from: "1", text: "a" } },
      { after: 1, battery: { level: 41 } },
    ]);
    expect(Scenario.parse(scenario)).toEqual(scenario);
  });

  it("can be run, however much it is and however long it took", async () => {
    const clock = new TestClock(0);
    const recorded = new RecordedChanges(clock);
    for (let count = 0; count < 300; count++) {
      recorded.add({ channel: "battery", type: "batteryLevel", percent: count % 100 });
      await clock.advance(3_600_000);
    }
    const { steps } = Scenario.parse(recorded.scenario());
    expect([steps.length, steps[0]?.after, steps.at(-1)?.battery]).toEqual([200, 0, { level: 99 }]);
  });
});
