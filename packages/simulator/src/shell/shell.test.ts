import { TestClock } from "@terrarium/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aSpec } from "../testing/a-spec.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";

let clock: TestClock;
let test: TestDevice;
beforeAll(async () => {
  clock = new TestClock();
  test = await testDevice({
    clock,
    spec: aSpec({ hardware: { properties: { product_model: "Moss 5", serialno: "MOSS0001" } } }),
  });
});
afterAll(() => {
  test.stop();
  if (test.faults.length > 0) throw new AggregateError(test.faults, "the device's side threw");
});
beforeEach(() => void (test.screen.done.length = 0));

const run = (command: string) => test.adb.shell(command);
const out = async (command: string) => (await run(command)).stdout;

/** Command lines and what they print; as mksh and toybox on a device do. */
const rows: [command: string, stdout: string, exitCode?: number][] = [
  ["echo hello world", "hello world\n"],
  [`echo 'a  b' "c $HOME" d\\ e`, "a  b c / d e\n"],
  ["x=1; y=$x$x; echo $y ${z:-none} ${x}2", "11 none 12\n"],
  [`x="a b"; printf '%s|' $x "$x"`, "a|b|a b|"],
  ["false; echo $?; true && echo yes || echo no", "1\nyes\n"],
  ["false && echo a || echo b; ! true; echo $?", "b\n1\n"],
  ["echo $(echo inner | tr a-z A-Z) `echo old`", "INNER old\n"],
  ["echo $((2 + 3 * 4)) $(( (1 + 1) << 3 )) $((7 / 2)) $((7 % 4 == 3))", "14 16 3 1\n"],
  ["i=0; while [ $i -lt 3 ]; do i=$((i+1)); [ $i = 2 ] && continue; echo $i; done", "1\n3\n"],
  ["for f in a b c; do echo $f; done | grep -n b", "2:b\n"],
  ["if [ -d /sdcard ]; then echo dir; elif true; then echo x; else echo y; fi", "dir\n"],
  ["(cd /sdcard; pwd); pwd; { echo g; }", "/sdcard\n/\ng\n"],
  ["yes | head -n 2; echo end", "y\ny\nend\n"],
  ["exit 7; echo never", "", 7],
  [
    "cd /sdcard; echo [A-D]* *[!a-z] no*; ls -d D?[cw]*",
    "Alarms Android DCIM Documents Download DCIM no*\nDocuments\nDownload\n",
  ],
  ["sh -c 'exit 3'; echo $?", "3\n"],
  ["nosuch 2>/dev/null; echo $?", "127\n"],
  ["printf 'b\\na\\nb\\n' | sort | uniq -c | sed 's/^ *//'", "1 a\n2 b\n"],
  ["printf 'a:b:c\\n' | cut -d: -f1,3", "a:c\n"],
  ["printf 'one two\\n' | wc -w", "2\n"],
  ["printf '1\\n2\\n3\\n4\\n' | tail -n 2 | head -1", "3\n"],
  ["echo foo.bar | sed -e 's/\\./-/;s/\\(f\\)o/\\1/'", "fo-bar\n"],
  ["printf 'x' | md5sum; printf 'x' | sha256sum | cut -c1-8", "9dd4e461268c8034f5c8564e155c67a6  -\n2d711642\n"],
  ["printf hi | base64; echo aGk= | base64 -d", "aGk=\nhi"],
  ["echo a b c | xargs -n 1 echo got", "got a\ngot b\ngot c\n"],
  ["id -u; whoami", "2000\nshell\n"],
  [
    "getprop ro.product.model; getprop ro.serialno; getprop ro.build.version.release; getprop ro.terrarium.simulated",
    "Moss 5\nMOSS0001\n14\n1\n",
  ],
  ["getprop sys.boot_completed; getprop no.such; getprop no.such fallback", "1\n\nfallback\n"],
  [
    "setprop debug.x 1; getprop debug.x; setprop ro.serialno z 2>/dev/null; echo $?; getprop ro.serialno",
    "1\n1\nMOSS0001\n",
  ],
  ["date -u +%Y-%m-%dT%H:%M", "2026-03-02T09:00\n"],
  ["wm size; wm density", "Physical size: 360x640\nPhysical density: 160\n"],
  ["settings put secure x 5; settings get secure x; settings get global none", "5\nnull\n"],
  ["svc wifi disable; settings get global wifi_on; svc wifi enable; settings get global wifi_on", "0\n1\n"],
  [
    "dumpsys battery set level 42; dumpsys battery | grep level; cat /sys/class/power_supply/battery/capacity",
    "  level: 42\n42\n",
  ],
  [
    "dumpsys window | grep mCurrentFocus",
    "  mCurrentFocus=Window{5ca1ab1e u0 com.terrarium.launcher/com.terrarium.launcher.Launcher}\n",
  ],
  ["df /data | tail -1 | tr -s ' ' | cut -d' ' -f2", "16777216\n"],
  ["grep MemTotal /proc/meminfo", "MemTotal:        4194304 kB\n"],
  ["grep -c ^processor /proc/cpuinfo", "4\n"],
  ["which ls; which nosuch; echo $?", "/system/bin/ls\n1\n"],
  ["log -t mine hello; logcat -d -s mine -v tag", "--------- beginning of main\nI/mine    : hello\n"],
  [
    "pm path com.terrarium.settings; pm list packages com.terrarium.notes",
    "package:/system/app/Settings/Settings.apk\npackage:com.terrarium.notes\n",
  ],
  [
    "monkey -p com.terrarium.notes 1; dumpsys activity | grep topResumed",
    "Events injected: 1\n  topResumedActivity=ActivityRecord{5ca1ab1e u0 com.terrarium.notes/.Main t1}\n",
  ],
];

/** What is refused, in whose words. */
const refusals: [command: string, stderr: string, exitCode: number][] = [
  ["nosuch", "/system/bin/sh: nosuch: inaccessible or not found\n", 127],
  ["cat /nowhere", "cat: /nowhere: No such file or directory\n", 1],
  ["ls /data", "ls: /data: Permission denied\n", 1],
  ["echo x > /system/y", "/system/bin/sh: can't create /system/y: Read-only file system\n", 1],
  ["echo 'open", "/system/bin/sh: syntax error: no closing quote\n", 1],
  ["ls --bogus", "ls: Unknown option '-bogus'\n", 1],
  ["cd /nowhere", "/system/bin/sh: cd: /nowhere: No such file or directory\n", 2],
  ["wm size 100x100", "wm: a simulated device keeps the size of its hardware profile\n", 255],
  ["am start -n com.nope/.Main", "Error type 3\nError: Activity class {com.nope/com.nope.Main} does not exist.\n", 1],
  [
    "app_process / com.example.Main",
    "Error: could not find class 'com.example.Main': a simulated device runs no code of its own\n",
    1,
  ],
  [`x='eval "$x"'; eval "$x"`, "/system/bin/sh: nested too deeply\n", 1],
  ["x=$(yes | head -c 100000); y=$x$x", "/system/bin/sh: y: out of memory\n", 1],
  ["yes 0123456789 | sort", "sort: input too large\n", 1],
  ["echo a | grep -E '(a)\\1'", "grep: back references are not supported\n", 2],
  ["echo $((1 / 0))", "/system/bin/sh: divide by zero\n", 1],
];

describe("adb shell", () => {
  for (const [command, stdout, exitCode = 0] of rows)
    it(`runs ${command}`, async () => expect(await run(command)).toEqual({ stdout, stderr: "", exitCode }));

  for (const [command, stderr, exitCode] of refusals)
    it(`refuses ${command}`, async () => expect(await run(command)).toMatchObject({ stderr, exitCode }));

  it("makes, copies, moves, finds and removes files", async () => {
    expect(
      await out(
        "cd /sdcard/Download; mkdir -p a/b; echo 1 > a/b/x; echo 2 >> a/b/x; cp -r a c; mv c/b/x y; find . -name '[xy]' -type f; cat y; " +
          "stat -c '%s %F' y; rm -r a c; ls; ls *; rm y",
      ),
    ).toBe("./a/b/x\n./y\n1\n2\n4 regular file\ny\ny\n");
  });

  it("lists long as toybox does", async () => {
    await run("touch -d 2026-01-02T03:04:00Z /data/local/tmp/f; chmod 640 /data/local/tmp/f");
    expect(await out("ls -l /data/local/tmp/f; ls -ld /sdcard; rm /data/local/tmp/f")).toBe(
      "-rw-r----- 1 shell shell 0 2026-01-02 03:04 /data/local/tmp/f\nlrwxrwxrwx 1 root root 21 2026-01-15 00:00 /sdcard -> /storage/self/primary\n",
    );
  });

  it("sleeps by the device's clock, and ends when the host closes the stream", async () => {
    const sleeping = run("sleep 5; echo up");
    await clock.advance(4999);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    expect(await sleeping).toMatchObject({ stdout: "up\n" });
    const stop = new AbortController();
    const endless = test.adb.shell("while true; do sleep 1; done", { signal: stop.signal });
    await clock.advance(1500);
    stop.abort(new Error("enough"));
    await expect(endless).rejects.toThrow("enough");
    await clock.advance(2000);
    expect(clock.sleeping).toBe(0);
  });

  it("does not starve others with an endless loop", async () => {
    const stop = new AbortController();
    const endless = test.adb.shell("while true; do :; done", { signal: stop.signal });
    expect(await out("echo meanwhile")).toBe("meanwhile\n");
    stop.abort(new Error("enough"));
    await expect(endless).rejects.toThrow("enough");
  });

  it("reads input that is piped to it", async () => {
    expect(await test.adb.shell("cat; read x; echo after", { stdin: new TextEncoder().encode("in\n") })).toMatchObject({
      stdout: "in\nafter\n",
    });
  });

  it("hands touches, keys and text to the screen", async () => {
    const swiping = run("input tap 10 20; input keyevent KEYCODE_A; input text 'a%sb'; input swipe 0 0 0 100 32");
    await clock.advance(100);
    expect(await swiping).toMatchObject({ exitCode: 0 });
    expect(test.screen.done).toEqual([
      "touch down 0 10,20",
      "touch up 0 10,20",
      "key down 29",
      "key up 29",
      "text a b",
      "touch down 0 0,0",
      "touch move 0 0,0",
      "touch move 0 0,50",
      "touch move 0 0,100",
      "touch up 0 0,100",
    ]);
    expect(await run("input tap x")).toMatchObject({ exitCode: 255 });
  });

  it("follows the log", async () => {
    const process = await test.adb.spawn("logcat -s live -v raw");
    const lines = process.stdout[Symbol.asyncIterator]();
    await lines.next();
    test.device.log("I", "live", "now");
    test.device.log("I", "other", "no");
    expect(new TextDecoder().decode((await lines.next()).value)).toBe("now\n");
    process.kill();
  });

  it("draws the screen as a PNG of its size", async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await test.adb.open("exec:screencap -p")) chunks.push(chunk);
    const png = Buffer.concat(chunks);
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([360, 640]);
  });
});

describe("adb shell with a terminal", () => {
  it("prompts, echoes, edits, and gives the prompt back at Ctrl-C", async () => {
    const shell = await test.adb.spawn("", { pty: true });
    let seen = "";
    void (async () => {
      for await (const chunk of shell.stdout) seen += new TextDecoder().decode(chunk);
    })().catch(() => undefined);
    const type = async (text: string) => {
      await shell.write(new TextEncoder().encode(text));
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    await type("ecko\b\bho hi\r");
    expect(seen).toBe("custom_phone:/ $ ecko\b \b\b \bho hi\r\nhi\r\ncustom_phone:/ $ ");
    seen = "";
    await type("sleep 100\r");
    await type("\x03");
    expect(seen).toBe("sleep 100\r\n^C\r\n130|custom_phone:/ $ ");
    await type("exit 4\r");
    expect(await shell.exit).toBe(4);
  });
});
