import { command, encodePacket } from "@terrarium/adb";
import { describe, expect, it } from "vitest";
import { create } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";
import { twoColours } from "../testing/two-colours.ts";
import { RunCommands } from "./run-commands.ts";

const packet = (name: keyof typeof command, payload: string) =>
  encodePacket({ command: command[name], arg0: 1, arg1: 0, payload: Buffer.from(payload) });

const traffic = Buffer.concat([
  packet("CNXN", "host::features=shell_v2"),
  packet("OPEN", "shell,v2,TERM=xterm,raw:input tap 5 7\0"),
  packet("WRTE", "shell:input tap 1 1\0"),
  packet("OPEN", "sync:\0"),
  packet("OPEN", `shell:${"x".repeat(2_000)}`),
  packet("WRTE", ""),
  packet("OPEN", "shell:\0"),
  packet("OPEN", "exec:screencap -p\0"),
  packet("OPEN", "shell:input keyevent 4"),
]);

describe("the commands that adb runs", () => {
  it.each([1, 7, 24, 25, 100, traffic.length])("are read in chunks of %d", (size) => {
    const commands = new RunCommands();
    const read: string[] = [];
    for (let at = 0; at < traffic.length; at += size) read.push(...commands.push(traffic.subarray(at, at + size)));
    expect(read).toEqual(["input tap 5 7", "screencap -p", "input keyevent 4"]);
  });

  it("are none of what is no adb", () => {
    const commands = new RunCommands();
    expect(commands.push(Buffer.from("GET / HTTP/1.1\r\nHost: leaf.example\r\n\r\n"))).toEqual([]);
    expect(commands.push(packet("OPEN", "shell:input tap 5 7"))).toEqual([]);
  });

  it("are in the replay where they are input, but not what they type", async () => {
    const test = create();
    test.add(undefined, { spawn: () => new Promise(() => undefined) } as never);
    const client = await test.come("adb", "owner");
    const run = (text: string) => client.bring(packet("OPEN", `shell:${text}\0`) as never);
    run("input tap 9 9");
    await test.clock.advance(1_000);
    await test.watch();
    test.display.frame(true, 0n, Buffer.concat([twoColours.config, twoColours.red]));
    run("input tap 5 7 && input swipe 1 2 3 4 500; ls");
    run("input text hunter2");
    run("input keyevent KEYCODE_HOME");
    run("input keyevent 32");
    run("pm list packages");
    const page = await test.come("tools", { token: "owner", tool: "replay" });
    page.say({ id: 1, do: "read" });
    await settled();
    const found = page.received.matchAll(/"type":"(?:adb","command":"([^"]*)|typing)"/g);
    expect([...found].map(([, text]) => text ?? "typing")).toEqual([
      "input tap 5 7",
      "input swipe 1 2 3 4 500",
      "typing",
      "input keyevent KEYCODE_HOME",
      "typing",
    ]);
    expect(page.received).not.toContain("hunter2");
  });

  it("are as few in the replay as leave room for what else happens", async () => {
    const test = create();
    test.add(undefined, { spawn: () => new Promise(() => undefined) } as never);
    const client = await test.come("adb", "owner");
    await test.watch();
    test.display.frame(true, 0n, Buffer.concat([twoColours.config, twoColours.red]));
    const tap = () => client.bring(packet("OPEN", "shell:input tap 5 7\0") as never);
    for (let nth = 0; nth < 1_000; nth++) tap();
    await test.clock.advance(1_000);
    tap();
    const page = await test.come("tools", { token: "owner", tool: "replay" });
    page.say({ id: 1, do: "read" });
    await settled();
    expect(page.received.match(/"type":"adb"/g)).toHaveLength(20 + 1);
  });
});
