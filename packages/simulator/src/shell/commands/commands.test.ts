import { describe, expect, it } from "vitest";
import { describeShell } from "../../testing/shell-rows.ts";
import { dateText } from "./date-text.ts";
import { keyCodeOf } from "./key-codes.ts";

const tmp = (commands: string) =>
  `mkdir /data/local/tmp/w; cd /data/local/tmp/w; ${commands}; cd /; rm -r /data/local/tmp/w`;

describe("commands on files", () => {
  describeShell(
    [
      [tmp("mkdir -p a/b; rmdir a/b a; ls"), ""],
      [tmp("echo 1 > a; mv a b; cat b; ls"), "1\nb\n"],
      [tmp("echo 1 > a; mkdir d; mv a d; ls d"), "a\n"],
      [tmp("echo 1 > a; echo 2 > b; mv -n a b; cat b"), "2\n"],
      [tmp("mkdir -p d/e; echo x > d/e/f; cp -r d c; cat c/e/f"), "x\n"],
      [tmp("echo x > a; chmod 640 a; cp a b; stat -c %a b"), "640\n"],
      [tmp("echo x > a; ln -s a l; cat l; readlink l; stat -c %F l"), "x\na\nsymbolic link\n"],
      [tmp("ln -s loop loop; cat loop 2>&1"), "cat: loop: Too many symbolic links encountered\n"],
      [tmp("touch a; chmod u+x,go-rwx a; stat -c %a a; chmod a=r a; stat -c %a a"), "700\n444\n"],
      [tmp("touch -d 2026-01-02T03:04:05Z a; stat -c %Y a"), "1767323045\n"],
      [tmp("touch -c a; ls"), ""],
      [tmp("rm -f nothing; echo $?"), "0\n"],
      [tmp("printf abc > a; printf abd > b; cmp a b; echo $?; cmp -s a a; echo $?"), "a b differ: char 3\n1\n0\n"],
      [tmp("mkdir d; touch d/x d/.y; find d -type f -name '.*'; find d -maxdepth 0"), "d/.y\nd\n"],
      [tmp("touch a b; find . -name a -exec echo got {} \\;"), "got ./a\n"],
      [tmp("printf 12345 > a; find . -size -2k -size +1c -type f"), "./a\n"],
      [tmp("touch e; mkdir d; find . -empty -type f; find . ! -name e -type f"), "./e\n"],
      [tmp("touch b a; ls; ls -r; ls -a | head -n 2"), "a\nb\nb\na\n.\n..\n"],
      [tmp("mkdir d; ls -dF d; ls -R"), "d/\n.:\nd\n\n./d:\n"],
      ["basename /a/b/c.txt .txt; dirname /a/b/c", "c\n/a/b\n"],
      ["realpath /sdcard", "/storage/emulated/0\n"],
    ],
    [
      ["mkdir /data/local/tmp", "mkdir: /data/local/tmp: File exists\n", 1],
      ["rmdir /data/local", "rmdir: /data/local: Permission denied\n", 1],
      ["rm /sdcard/DCIM", "rm: /sdcard/DCIM: Is a directory\n", 1],
      ["rm", "rm: Needs 1 argument\n", 1],
      ["mv /a", "mv: Needs 2 arguments\n", 1],
      ["cp /sdcard/DCIM /data/local/tmp", "cp: Skipped dir '/sdcard/DCIM'\n", 1],
      ["cp -r /sdcard/Android /sdcard/Android/data", "cp: /sdcard/Android: Invalid argument\n", 1],
      ["mv /sdcard/Android /sdcard/Android/data/x", "mv: /sdcard/Android: Invalid argument\n", 1],
      ["ln /a /b", "ln: hard links are not supported by this file system\n", 1],
      ["chmod 999 /data/local/tmp", "chmod: bad mode '999'\n", 1],
      ["chmod 700 /sdcard", "chmod: /sdcard: Operation not permitted\n", 1],
      ["chown 0 /data/local/tmp", "chown: /data/local/tmp: Operation not permitted\n", 1],
      ["touch -d never /data/local/tmp/x", "touch: bad time\n", 1],
      ["find / -delete", "find: -delete is not supported; use -exec rm\n", 1],
      ["find . -bogus", "find: bad option '-bogus'\n", 1],
      ["find . -name", "find: '-name' needs 1 arg\n", 1],
    ],
  );
});

describe("commands on text", () => {
  describeShell(
    [
      ["printf '%5d|%-5s|%05d|%x|%c|%%\\n' 42 ab 7 255 z", "   42|ab   |00007|ff|z|%\n"],
      ["printf '%s\\n' a b", "a\nb\n"],
      ["echo -n a; echo -e 'b\\tc'; echo -E 'd\\n'", "ab\tc\nd\\n\n"],
      ["seq 3; seq 2 4; seq 5 -2 1", "1\n2\n3\n2\n3\n4\n5\n3\n1\n"],
      ["seq 10 | head -n 2; seq 10 | tail -n 1; seq 5 | tail -n +4", "1\n2\n10\n4\n5\n"],
      [
        "printf 'b 2\\na 10\\n' | sort; printf '10\\n9\\n' | sort -n; printf 'a\\nb\\na\\n' | sort -ru",
        "a 10\nb 2\n9\n10\nb\na\n",
      ],
      ["printf 'x 2\\ny 1\\n' | sort -k 2", "y 1\nx 2\n"],
      ["printf 'a\\na\\nb\\n' | uniq -d; printf 'a\\na\\nb\\n' | uniq -u", "a\nb\n"],
      [
        "echo hello | tr a-y b-z; echo aabb | tr -s ab; echo a1b2 | tr -d 0-9; echo a1 | tr -c a-z -",
        "ifmmp\nab\nab\na--",
      ],
      ["echo a:b:c | cut -d : -f 2-; echo abcdef | cut -c 2-3,5", "b:c\nbce\n"],
      ["echo abc | rev; printf 'a b\\nc\\n' | wc", "cba\n2 3 6\n"],
      ["printf 'one\\ntwo\\n' | grep -v one; printf 'a\\nb\\n' | grep -q b; echo $?", "two\n0\n"],
      [
        "printf 'Ab\\n' | grep -i ab; printf 'a.c\\nabc\\n' | grep -F a.c; echo foobar | grep -o '[ao]*'",
        "Ab\na.c\noo\na\n",
      ],
      ["printf 'ab\\nabc\\n' | grep -x ab; printf 'foo bar\\nfoobar\\n' | grep -w bar", "ab\nfoo bar\n"],
      ["printf '1\\n2\\n3\\n' | grep -m 1 -n .; printf 'x\\n' | grep y; echo $?", "1:1\n1\n"],
      ["echo a+b | grep 'a+b'; echo aab | grep -E 'a+b'; echo aab | grep 'a\\+b'", "a+b\naab\naab\n"],
      ["printf 'a\\nb\\nc\\n' | sed -n 2p; printf 'a\\nb\\n' | sed /a/d; echo aaa | sed s/a/b/g", "b\nb\nbbb\n"],
      [
        "echo john smith | sed -E 's/(\\w+) (\\w+)/\\2 \\1/'; echo /a/b | sed 's|/|-|g'; echo a | sed 's/a/[&]/'",
        "smith john\n-a-b\n[a]\n",
      ],
      ["printf 'a b' | xargs -n 1 echo; printf 'a\\n' | xargs -I {} echo '<{}>'", "a\nb\n<a>\n"],
      [
        "printf abc | sha1sum; printf '' | md5sum",
        "a9993e364706816aba3e25717850c26c9cd0d89d  -\nd41d8cd98f00b204e9800998ecf8427e  -\n",
      ],
      [
        "[ 1 -lt 2 -a a = a ] && echo yes; [ ! -e /nowhere ] && echo none; [ -n '' ] || echo empty",
        "yes\nnone\nempty\n",
      ],
      ["[ -f /proc/cpuinfo ]; echo $?; [ -L /sdcard ]; echo $?; test -d /sdcard; echo $?", "0\n0\n0\n"],
    ],
    [
      ["[ 1 = 1", "/system/bin/sh: [: missing ]\n", 2],
      ["[ a b c d ]", "/system/bin/sh: [: syntax error\n", 2],
      ["seq", "seq: needs 1 to 3 numbers\n", 1],
      ["seq 1 0 5", "seq: needs 1 to 3 numbers\n", 1],
      ["sleep soon", "sleep: bad number 'soon'\n", 1],
      ["head -n x /proc/stat", "head: bad number 'x'\n", 1],
      ["cut -f -", "cut: bad range '-'\n", 1],
      ["tr a", "tr: Needs 2 arguments\n", 1],
      ["printf a | tr '\\001-\\377' b 2>&1 | wc -c >&2", "1\n", 0],
      ["sed s/a/b", "sed: bad pattern 's/a/b'\n", 1],
      ["grep '[' /proc/stat", "grep: bad regex '['\n", 2],
      ["grep", "grep: no REGEX\n", 2],
    ],
  );
});

describe("commands on the system", () => {
  const device = describeShell(
    [
      ["id -un; id -g; id -G | wc -w", "shell\n2000\n15\n"],
      ["uname; uname -m; nproc; hostname", "Linux\nx86_64\n4\nlocalhost\n"],
      ["ps -A -o NAME | grep -c -e init -e adbd", "2\n"],
      ["pidof system_server; pidof nothing; echo $?", "1100\n1\n"],
      ["type cd; which cd; echo $?", "cd is /system/bin/cd\n1\n"],
      [
        "settings put system user_rotation 2; settings get system user_rotation; settings put system user_rotation 0",
        "2\n",
      ],
      [
        "settings put global a b; settings list global | grep ^a=; settings delete global a; settings get global a",
        "a=b\nDeleted 1 rows\nnull\n",
      ],
      [
        "dumpsys battery unplug; dumpsys battery set ac 1; dumpsys battery | grep -e AC -e status; dumpsys battery reset",
        "  AC powered: true\n  status: 2\n",
      ],
      [
        "wm user-rotation lock 3; wm user-rotation; wm user-rotation free; wm user-rotation; settings put system user_rotation 0; wm user-rotation free",
        "lock 3\nfree\n",
      ],
      ["am force-stop com.terrarium.notes; am get-current-user", "0\n"],
      [
        "logcat -c; log -p e -t x bad; log -p d -t x quiet; logcat -d -v brief x:E '*:S' | tail -n 1 | cut -c 1-3",
        "E/x\n",
      ],
    ],
    [
      ["settings put system font_scale 99", "settings: '99' is not a value of system/font_scale on this device\n", 255],
      ["settings get cosmic x", "settings: Invalid namespace 'cosmic'\n", 255],
      ["date 010203042026", "date: cannot set date: Operation not permitted\n", 1],
      ["kill 1", "/system/bin/sh: kill: 1: Operation not permitted\n", 1],
      ["kill 99999", "/system/bin/sh: kill: 99999: No such process\n", 1],
      ["dumpsys nothing", "Can't find service: nothing\n", 0],
      ["logcat -v loud", 'logcat: Invalid parameter "loud" to -v\n', 1],
      ["logcat x:Q", "logcat: Invalid filter expression 'x:Q'\n", 1],
      ["am start", "Error: Activity not started, unable to resolve Intent {  flg=0x10000000 }\n", 1],
      ["am start -n", 'am: Argument expected after "-n"\n', 255],
      ["monkey -p android 1", "** No activities found to run, monkey aborted.\n", 252],
      ["monkey -p no.such 1", "** No activities found to run, monkey aborted.\n", 252],
      ["monkey 500", "** Error: a simulated device launches one package: monkey -p PACKAGE 1\n", 255],
      ["top", "top: only one screenful (-n 1) is shown on this device\n", 1],
    ],
  );

  it.each([
    ["setprop '' x", "invalid name"],
    ["setprop ro.serialno x", "read-only"],
    [`setprop debug.x ${"x".repeat(92)}`, "too long"],
    ["setprop gsm.sim.state x", "not the shell's"],
    ["setprop .debug x", "invalid name"],
  ])("%s is refused: %s", async (command) =>
    expect(await device().adb.shell(command)).toMatchObject({
      stderr: expect.stringMatching(/^Failed to set property/),
      exitCode: 1,
    }),
  );

  it("tells scripts of power and screen what they grep for", async () => {
    const { adb, device: simulated } = device();
    const grep = async () =>
      (
        await adb.shell(
          "dumpsys power | grep -e mWakefulness= -e 'Display Power'; dumpsys window | grep -o mScreenOnFully=.*; dumpsys display | grep mScreenState",
        )
      ).stdout;
    expect(await grep()).toBe(
      "  mWakefulness=Awake\nDisplay Power: state=ON\nmScreenOnFully=true\n  mScreenState=ON\n",
    );
    simulated.state.set({ screenOn: false });
    expect(await grep()).toBe(
      "  mWakefulness=Asleep\nDisplay Power: state=OFF\nmScreenOnFully=false\n  mScreenState=OFF\n",
    );
    simulated.state.set({ screenOn: true });
    const isLocked = async () =>
      (await adb.shell("dumpsys window | grep -o mDreamingLockscreen=.*")).stdout.split(" ")[0];
    expect(await isLocked()).toBe("mDreamingLockscreen=true");
    await adb.shell("wm dismiss-keyguard");
    expect(await isLocked()).toBe("mDreamingLockscreen=false");
  });

  it("tells the display as scrcpy's own parser reads it, turned as it is", async () => {
    const { adb, device: simulated } = device();
    const line =
      /^ {4}mOverrideDisplayInfo=DisplayInfo\{".*?, displayId 0.*?(, FLAG_.*)?, real ([0-9]+) x ([0-9]+).*?, rotation ([0-9]+).*?, density ([0-9]+).*?, layerStack ([0-9]+)/m;
    const read = async () => line.exec((await adb.shell("dumpsys display")).stdout)!.slice(2);
    expect(await read()).toEqual(["360", "640", "0", "160", "0"]);
    simulated.state.set({ rotation: 1 });
    expect(await read()).toEqual(["640", "360", "1", "160", "0"]);
    expect((await adb.shell("dumpsys window | grep -o 'init=.* app'; dumpsys input | grep Surface")).stdout).toBe(
      "init=360x640 160dpi cur=640x360 app\n    SurfaceOrientation: 1\n",
    );
    simulated.state.set({ rotation: 0 });
  });
});

describe("dateText", () => {
  it.each([
    ["%Y-%m-%d %H:%M:%S", "UTC", "2026-03-02 09:00:00"],
    ["%T %Z %z", "Europe/Paris", "10:00:00 GMT+1 +0100"],
    ["%z", "America/New_York", "-0500"],
    ["%I%p %a %b %e %y %s %N", "UTC", "09AM Mon Mar  2 26 1772442000 000000000"],
    ["%% %Q", "UTC", "% %Q"],
  ])("%s in %s", (format, zone, text) => expect(dateText(Date.UTC(2026, 2, 2, 9), zone, format)).toBe(text));
});

describe("keyCodeOf", () => {
  it.each([
    ["66", 66],
    ["KEYCODE_ENTER", 66],
    ["enter", 66],
    ["A", 29],
    ["keycode_7", 14],
    ["F12", 142],
    ["321", undefined],
    ["F13", undefined],
    ["constructor", undefined],
  ])("%s is %s", (text, code) => expect(keyCodeOf(text)).toBe(code));
});
