import { describe, expect, it } from "vitest";
import { describeShell } from "../testing/shell-rows.ts";
import { arithmetic } from "./arithmetic.ts";
import { patternOf } from "./glob.ts";
import { parseScript } from "./parser.ts";

describe("the parser", () => {
  describeShell(
    [
      ["# a comment", ""],
      ["echo a # b", "a\n"],
      ["echo a#b", "a#b\n"],
      ["echo a; echo b\necho c", "a\nb\nc\n"],
      ["echo one \\\ntwo", "one two\n"],
      ["! false && echo yes", "yes\n"],
      ["! ! true; echo $?", "0\n"],
      ["true || echo no; echo $?", "0\n"],
      ["false || false || echo third", "third\n"],
      ["echo a |\ncat", "a\n"],
      ["if false; then echo 1; elif true; then echo 2; else echo 3; fi", "2\n"],
      ["if false; then echo 1; else echo 3; fi", "3\n"],
      ["until true; do echo never; done; echo $?", "0\n"],
      ["for x in 1 2 3; do [ $x = 2 ] && break; echo $x; done", "1\n"],
      ["for x in 1 2; do for y in a b; do [ $y = b ] && continue 2; echo $x$y; done; done", "1a\n2a\n"],
      ["for x in 1 2; do for y in a b; do break 2; done; echo no; done; echo end", "end\n"],
      ["{ echo a; echo b; } | wc -l", "2\n"],
      ["(exit 3); echo $?", "3\n"],
      ["x=1; (x=2); echo $x", "1\n"],
      ["x=1; { x=2; }; echo $x", "2\n"],
      ["echo if then fi", "if then fi\n"],
      ["exec echo gone; echo never", "gone\n"],
      ["eval 'x=5; echo $x'", "5\n"],
      ["sh -c 'echo inner; exit 4'; echo $?", "inner\n4\n"],
      ["exit 300", "", 44],
    ],
    [
      ["echo )", "/system/bin/sh: syntax error: unexpected ')'\n", 1],
      ["if true; then", "/system/bin/sh: syntax error: unexpected end of file\n", 1],
      ["fi", "/system/bin/sh: syntax error: unexpected 'fi'\n", 1],
      ["echo a &&", "/system/bin/sh: syntax error: unexpected end of file\n", 1],
      ["; echo a", "/system/bin/sh: syntax error: unexpected ';'\n", 1],
      ["| cat", "/system/bin/sh: syntax error: unexpected '|'\n", 1],
      ["sleep 1 &", "/system/bin/sh: syntax error: background jobs are not supported\n", 1],
      ["cat << EOF", "/system/bin/sh: syntax error: here documents are not supported\n", 1],
      ["echo $(echo", "/system/bin/sh: syntax error: no closing )\n", 1],
      ["echo `echo", "/system/bin/sh: syntax error: no closing quote\n", 1],
      ['echo "open', "/system/bin/sh: syntax error: no closing quote\n", 1],
      ["echo ${x!}", "/system/bin/sh: bad substitution\n", 1],
    ],
  );

  it.each([
    ["groups", "(".repeat(100_000)],
    ["substitutions", "$(".repeat(5_000)],
    ["arithmetic", "$((".repeat(5_000)],
    ["braces", "${x:-".repeat(5_000)],
    ["conditions", "if ".repeat(5_000)],
  ])("refuses a tower of %s in time and memory", (_what, source) => {
    expect(() => parseScript(source)).toThrow(expect.objectContaining({ name: "ScriptError" }));
  });
});

describe("expansion", () => {
  describeShell(
    [
      ["x='a   b'; echo $x; echo \"$x\"", "a b\na   b\n"],
      ["x=; printf '[%s]' \"$x\" $x end", "[][end]"],
      ["echo ${none:-'a b'}c", "a bc\n"],
      ["x=set; echo ${x:-no} ${x-no} ${y-unset}", "set set unset\n"],
      ["echo '$HOME' \"$HOME\" \\$HOME", "$HOME / $HOME\n"],
      ['echo "a\\"b\\\\c\\$d"', 'a"b\\c$d\n'],
      ["x=$(printf 'a\\n\\n\\n'); echo \"[$x]\"", "[a]\n"],
      ["x='*'; echo \"$x\" '*'", "* *\n"],
      ["echo $# $? $0", "0 0 /system/bin/sh\n"],
      ["x=1 printenv_missing=2; echo $x$printenv_missing", "12\n"],
      ["x=1; x=2 echo $x; echo $x", "1\n1\n"],
      ["A=7 env | grep ^A=", "A=7\n", 0],
      ["echo $", "$\n"],
      ["unset HOME; echo [$HOME]", "[]\n"],
    ],
    [["export 1x=2", "export: 1x: is not an identifier\n", 1]],
  );

  it.each([
    ["1 + 2 * 3 - 4 / 2", 5],
    ["(1 + 2) * 3", 9],
    ["-7 / 2", -3],
    ["-7 % 3", -1],
    ["0x1F", 31],
    ["1 << 4 | 1", 17],
    ["6 & 3 ^ 1", 3],
    ["!0 + !5", 1],
    ["~0", -1],
    ["1 < 2 && 2 <= 2 || 0", 1],
    ["3 != 3", 0],
    ["x + none", 5],
    ["", 0],
  ])("works out $((%s))", (source, value) => {
    expect(arithmetic(source, (name) => (name === "x" ? "5" : ""))).toBe(value);
  });

  it.each(["1 +", "(1", "1 2", "1 / 0", "5 % 0", "1 @ 2", "+".repeat(2000)])("refuses $((%s))", (source) =>
    expect(() => arithmetic(source, () => "")).toThrow(expect.objectContaining({ name: "ScriptError" })),
  );
});

describe("patterns", () => {
  it.each([
    ["*", "anything", true],
    ["*", "", true],
    ["?", "", false],
    ["?", "🌿", true],
    ["a*b*c", "aXbYc", true],
    ["a*b*c", "aXbY", false],
    ["[abc]", "b", true],
    ["[a-c]x", "dx", false],
    ["[!a-c]", "d", true],
    ["[^a-c]", "a", false],
    ["[]]", "]", true],
    ["[a", "[a", true],
    ["\\*", "*", true],
    ["\\*", "x", false],
    ["a\\", "a\\", true],
    ["[a-]", "-", true],
  ])("%s on %s is %s", (glob, text, matches) => expect(patternOf(glob).test(text)).toBe(matches));

  it("takes no longer for many stars", () => {
    expect(patternOf("*a".repeat(500)).test("a".repeat(5000) + "b")).toBe(false);
  });

  describeShell([
    ["cd /sdcard; echo D*", "DCIM Documents Download\n"],
    ['cd /sdcard; echo "D*" D\\*', "D* D*\n"],
    ["echo /sdcard/Andr*/o*", "/sdcard/Android/obb\n"],
    ["echo /no*where/*", "/no*where/*\n"],
    ["cd /data/local/tmp; touch .hidden seen; echo *; echo .h*; rm .hidden seen", "seen\n.hidden\n"],
  ]);
});

describe("redirections and pipes", () => {
  describeShell(
    [
      ["cd /data/local/tmp; echo 1 > f; echo 2 >> f; cat < f; rm f", "1\n2\n"],
      ["cd /data/local/tmp; echo a > f; echo b > f; cat f; rm f", "b\n"],
      ["cd /data/local/tmp; > f; wc -c < f; rm f", "0\n"],
      ["nosuch > /dev/null 2>&1; echo $?", "127\n"],
      ["{ echo out; echo err >&2; } 2>/dev/null", "out\n"],
      ["nosuch 2>&1 | grep -c inaccessible", "1\n"],
      ["cd /data/local/tmp; (echo a; echo b) > f; cat f; rm f", "a\nb\n"],
      ["cd /data/local/tmp; for i in 1 2; do echo $i; done > f; cat f; rm f", "1\n2\n"],
      ["false | true; echo $?", "0\n"],
      ["true | false; echo $?", "1\n"],
      ["echo a | (read x; echo $x)", "a\n"],
      ["yes | head -n 1", "y\n"],
      ["cat /dev/zero | head -c 100000 | wc -c", "100000\n"],
      ["echo x > /dev/null", ""],
      ["stat -c %a /data/local/tmp", "771\n"],
    ],
    [
      ["cat < /nowhere", "/system/bin/sh: can't open /nowhere: No such file or directory\n", 1],
      ["echo > /sdcard", "/system/bin/sh: can't create /sdcard: Is a directory\n", 1],
      [
        "echo > /data/local/tmp/a/b",
        "/system/bin/sh: can't create /data/local/tmp/a/b: No such file or directory\n",
        1,
      ],
      ["echo >&0", "/system/bin/sh: 0: bad file descriptor\n", 1],
      ["cat <&1", "/system/bin/sh: 1: bad file descriptor\n", 1],
      ["echo >&7", "/system/bin/sh: 7: bad file descriptor\n", 1],
      ["/system/build.prop", "/system/bin/sh: /system/build.prop: can't execute: Permission denied\n", 126],
      ["/system/bin/nosuch", "/system/bin/sh: /system/bin/nosuch: inaccessible or not found\n", 127],
    ],
  );
});
