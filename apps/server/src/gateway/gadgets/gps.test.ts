import { parseEvent } from "@terrarium/player";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { fakeShell } from "../testing/fake-shell.ts";
import { settled } from "../testing/settled.ts";
import type { GadgetCommand } from "./gadget.ts";
import { openGps } from "./gps.ts";

async function create({ sdkVersion = 34, refuses = "" } = {}) {
  const shell = fakeShell();
  const commands: string[] = [];
  shell.answer = (words) => {
    const command = words.join(" ");
    commands.push(command);
    const stdout =
      command === "dumpsys location" ? "    last location=Location[gps 1.500000,-2.250000 hAcc=4.0 et=+1s]" : "";
    return { stdout, exitCode: refuses !== "" && command.includes(refuses) ? 255 : 0 };
  };
  const heard: unknown[] = [];
  const hear = (message: string) => void heard.push((JSON.parse(message) as { message: unknown }).message);
  const { signal } = new AbortController();
  const gps = await openGps(
    {
      kind: "handheld",
      sdkVersion,
      isSimulated: false,
      shell: shell.run,
      display: new FakeDisplay(),
      broadcast: hear,
      signal,
      log: pino({ level: "silent" }),
    },
    signal,
  );
  const send = async (...messages: string[]) => {
    commands.length = heard.length = 0;
    for (const command of parseEvent(JSON.stringify({ channel: "gps", messages })) ?? [])
      gps?.handle(command as GadgetCommand, hear);
    await settled();
  };
  return { gps, commands, heard, hear, send };
}

describe("GPS of stock Android", () => {
  it("is none before Android 12, or where its command is missing", async () => {
    expect((await create({ sdkVersion: 30 })).gps).toBeUndefined();
    expect((await create({ refuses: "is-location-enabled" })).gps).toBeUndefined();
  });

  it("tells where it last was, and only what can be set", async () => {
    const { gps, heard, hear } = await create();
    gps?.introduce?.(hear);
    expect(heard).toEqual(["latitude 1.5", "longitude -2.25", "accuracy 4"]);
  });

  it("becomes a place for tests with the first setting, and is set once a message", async () => {
    const { send, commands, heard } = await create();
    await send("set altitude 15", "set longitude -18.53", "set latitude 65.96", "set accuracy 7", "enable");
    expect(commands).toEqual([
      "appops set com.android.shell android:mock_location allow",
      "cmd location providers add-test-provider gps",
      "cmd location providers set-test-provider-enabled gps true",
      "cmd location providers set-test-provider-location gps --location 65.96,-18.53 --accuracy 7",
    ]);
    expect(heard).toEqual(["latitude 65.96", "longitude -18.53", "accuracy 7"]);
    await send("disable");
    expect(commands).toEqual(["cmd location providers set-test-provider-enabled gps false"]);
  });

  it("shows what is true when the device refuses", async () => {
    const { send, heard } = await create({ refuses: "set-test-provider-location" });
    await send("set latitude 65.96");
    expect(heard).toEqual(["latitude 1.5", "longitude -2.25", "accuracy 4"]);
  });
});
