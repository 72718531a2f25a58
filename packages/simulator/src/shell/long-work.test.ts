import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FairTurns } from "./fair-turns.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";

let busy: TestDevice;
let other: TestDevice;
beforeAll(async () => {
  const turns = new FairTurns();
  busy = await testDevice({ limits: { ms: 300, bytes: 48 * 1024 ** 2 }, maxDiskBytes: 8 * 1024 ** 2, turns });
  other = await testDevice({ turns });
});
afterAll(() => {
  const faults = [busy, other].flatMap((test) => (test.stop(), test.faults));
  if (faults.length > 0) throw new AggregateError(faults, "the device's side threw");
});

const KILLED = /^Killed: more than (50331648 bytes read and written|0.3 s of processor time used)\n$/;

describe("work without an end", () => {
  it.each([
    "cat /dev/zero > /dev/null",
    "cat < /dev/zero > /dev/null",
    "cat /dev/zero | cat | cat > /dev/null",
    "wc -c /dev/zero",
    "tail -c 5 /dev/zero",
    "head -c 900g /dev/zero > /dev/null",
    "md5sum /dev/urandom",
    "tr a b < /dev/zero > /dev/null",
    "yes | tee /dev/null > /dev/null",
    "yes | grep -c n",
    "yes | sed s/y/n/ > /dev/null",
    "yes | cut -c 1 | uniq",
    "seq 1 999999999999 > /dev/null",
    "while true; do :; done",
    "until false; do echo; done > /dev/null",
    "while true; do cat /dev/zero > /dev/null; done",
    "while true; do rm -f /sdcard/x; cp /sdcard/x /sdcard/y; done 2> /dev/null",
    "cat /dev/zero | sleep 1000 | cat /dev/zero > /dev/null",
    "cat /dev/zero > /dev/null | sleep 1000",
  ])("is killed, and holds up no other device: %s", async (command) => {
    const work = busy.adb.shell(command);
    expect(await other.adb.shell("echo here")).toMatchObject({ stdout: "here\n" });
    const { stderr, exitCode } = await work;
    expect([stderr, exitCode]).toEqual([expect.stringMatching(KILLED), 137]);
  });

  it("ends at once when its connection does", async () => {
    const stop = new AbortController();
    const work = other.adb.shell("while true; do log -t turn; done", { signal: stop.signal });
    await other.adb.shell("echo meanwhile");
    stop.abort(new Error("hung up"));
    await expect(work).rejects.toThrow("hung up");
    // The end of the stream has reached the device once a later answer has come back.
    await other.adb.shell("true");
    const { position } = other.device.logs.since(0);
    expect(position).toBeGreaterThan(0);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(other.device.logs.since(0).position).toBe(position);
  });

  it("leaves the terminal it was typed at", async () => {
    const shell = await busy.adb.spawn("", { pty: true });
    const type = (text: string) => shell.write(new TextEncoder().encode(text));
    let seen = "";
    await type("cat /dev/zero > /dev/null\r");
    for await (const chunk of shell.stdout) {
      seen += new TextDecoder().decode(chunk);
      if (seen.endsWith("137|custom_phone:/ $ ")) await type("echo still here; exit\r");
    }
    expect(seen).toMatch(/Killed: more than .*\r\n137\|/);
    expect(seen).toContain("still here\r\n");
  });
});

describe("work that takes long and has an end", () => {
  it("is refused if it is an expression that never comes to one", async () => {
    const line = `echo ${"a".repeat(60)}!`;
    for (const command of [`${line} | grep -E '^(a{1,30}){1,30}$'`, `${line} | sed -E 's/^(a{1,30}){1,30}$//'`])
      expect(await other.adb.shell(command)).toMatchObject({
        stderr: expect.stringContaining(": this expression takes too long\n"),
        exitCode: 2,
      });
    other.device.log("I", "tag", `${"a".repeat(60)}!`);
    expect(await other.adb.shell("logcat -d -e '(?<!x)(a+)+$(?=b)'")).toMatchObject({
      stderr: "logcat: this expression takes too long\n",
    });
  });

  it("sorts, translates, encodes and compares what is larger than one piece", async () => {
    const { stdout } = await other.adb.shell(
      [
        "cd /data/local/tmp; seq 1 6000 > a; sort -rn a | sort -n > b; cmp a b && echo sorted",
        "base64 < a | base64 -d > c; cmp a c && echo decoded; base64 -w 0 a | wc -l",
        "tr 0-9 a-j < a | tr a-j 0-9 | cmp a - && echo translated; tr -s '\\n0-9' x < a",
        "cp a d; cmp a d && echo copied; rm a b c d",
      ].join("; echo; "),
    );
    expect(stdout).toBe("sorted\n\ndecoded\n1\n\ntranslated\nx\ncopied\n");
  });
});
