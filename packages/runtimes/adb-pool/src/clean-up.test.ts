import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { makeApk } from "@terrarium/simulator/testing";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { lookBefore, undo } from "./clean-up.ts";
import { readFacts } from "./facts.ts";
import { label, removeLabel } from "./label.ts";
import { somePhones } from "./testing/phones.ts";

const none = new AbortController().signal;
let desk: Awaited<ReturnType<typeof somePhones>>;
let link: AdbLink;
beforeAll(async () => {
  desk = await somePhones(1);
  const { host, port } = desk.phones[0]!.address;
  link = await connectAdb(nodeSocketDuplex(connect(port, host)));
});
afterEach(() => link.shell("rm -rf /sdcard/Download/* /data/local/tmp/.terrarium; pm uninstall org.example.left"));
afterAll(async () => {
  link.close();
  await desk.stop();
});

/** A phone on which one command is another. */
const where = (from: string, to: string): Pick<AdbLink, "shell"> => ({
  shell: (command, options) =>
    link.shell(
      typeof command === "string" ? command.replace(from, to) : command.join(" ").startsWith(from) ? to : command,
      options,
    ),
});

describe("a phone that does not tell all", () => {
  const before = { packages: [], paths: [], settings: {}, size: "", density: "" };

  it.each([
    ["has not booted", "getprop sys.boot_completed", "echo 0"],
    ["has no files yet", "find /sdcard/", "find /not-mounted/"],
    ["does not list its apps", "pm list packages -3", "false"],
    ["ends an answer early", "settings list secure", "exit 0); exit; (true"],
  ])("is neither lent nor clean when it %s", async (_what, from, to) => {
    await expect(lookBefore(where(from, to), none)).rejects.toThrow(/could not answer|has not answered/);
    await expect(undo(where(from, to), before, none)).rejects.toThrow(/could not answer|has not answered/);
  });

  it.each([
    ["ls /sdcard/", "false"],
    ["getprop", "echo"],
  ])("has no facts without %s", async (from, to) => {
    await expect(readFacts(where(from, to), none)).rejects.toThrow(/could not answer|still starts/);
  });

  it("is not lent with names that cannot be told apart", async () => {
    await link.shell("touch '/sdcard/Download/\uFFFD'");
    await expect(lookBefore(link, none)).rejects.toThrow("not UTF-8");
  });
});

describe("undo", () => {
  it("deletes files with any name", async () => {
    const before = await lookBefore(link, none);
    for (const name of ["a\r\nb", "a\n--terrarium-section--\nb", "it's"])
      await link.shell(["touch", `/sdcard/Download/${name}`]);
    expect(await undo(link, before, none)).toEqual([]);
    expect((await link.shell("ls -A /sdcard/Download")).stdout).toBe("");
  });

  it("sends no command that is longer than Linux takes", async () => {
    const before = await lookBefore(link, none);
    const names = Array.from({ length: 200 }, (_, at) => `/sdcard/Download/${at}`.padEnd(250, "'"));
    for (let at = 0; at < names.length; at += 20) await link.shell(["touch", ...names.slice(at, at + 20)]);
    const sizes: number[] = [];
    const counting: Pick<AdbLink, "shell"> = {
      shell(command, options) {
        if (typeof command !== "string") sizes.push(command.join(" ").replaceAll("'", "....").length);
        return link.shell(command, options);
      },
    };
    expect(await undo(counting, before, none)).toEqual([]);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
  });

  it("takes work profiles away, and says which are still there", async () => {
    const before = await lookBefore(link, none);
    const users = "echo 'UserInfo{0:Owner:c13} running'; echo 'UserInfo{10:Work profile:1030} running'";
    const asked: string[] = [];
    const withProfile: Pick<AdbLink, "shell"> = {
      shell(command, options) {
        if (typeof command !== "string") asked.push(command.join(" "));
        return where("pm list users", users).shell(command, options);
      },
    };
    expect(before.users).toEqual(["0"]);
    expect(await undo(withProfile, before, none)).toEqual(["the user or work profile 10"]);
    expect(asked).toContain("pm remove-user 10");
    // What was there before is the phone's own.
    expect(await undo(withProfile, { ...before, users: ["0", "10"] }, none)).toEqual([]);
  });

  it("says what is still there, also when the command for it said nothing", async () => {
    const before = await lookBefore(link, none);
    const apk = makeApk({ packageName: "org.example.left" });
    await link.install({ size: apk.length, source: [apk] });
    expect(await undo(where("pm uninstall", "true"), before, none)).toEqual(["the app org.example.left"]);
    await link.shell("touch /sdcard/Download/x");
    expect(await undo(where("rm", "true"), before, none)).toEqual(['"/sdcard/Download/x"']);
  });
});

describe("label", () => {
  it("is had by one of two that want it at once", async () => {
    const [a, b] = await Promise.all([label(link, "a", none), label(link, "b", none)]);
    expect([a, b].filter((other) => other === undefined)).toHaveLength(1);
  });

  it("is nobody's while it is being written, and shows others' text cut and escaped", async () => {
    await link.shell("mkdir /data/local/tmp/.terrarium");
    expect(await label(link, "a", none)).toBe('""');
    await link.shell(["sh", "-c", `echo '${"x\u001b[2J".repeat(30)}' > /data/local/tmp/.terrarium/owner`]);
    expect(await label(link, "a", none)).toMatch(/^"(x\\u001b\[2J)+/);
    await removeLabel(link, none);
    expect(await label(link, "a", none)).toBeUndefined();
  });
});
