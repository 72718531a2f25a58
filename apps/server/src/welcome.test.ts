import { expect, it } from "vitest";
import { welcome } from "./welcome.ts";

const account = (password: string) => ({ role: "user" as const, email: "user@demo.test", password });
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");
const ready = "Terrarium is ready at http://localhost:8080";

it.each([
  ["no demo", undefined, []],
  [
    "published passwords",
    { published: [account("terrarium1")], made: [] },
    ["Sign in with one of the demo accounts:", "  user@demo.test       terrarium1"],
  ],
  [
    "passwords made just now",
    { published: [], made: [account("5a1")] },
    [expect.stringContaining("shown this once"), "  user@demo.test       5a1"],
  ],
  [
    "passwords made earlier",
    { published: [], made: [] },
    [expect.stringContaining("npm run operator -- demo passwords")],
  ],
])("tells of %s", (_, demo, lines) => {
  expect(linesOf(welcome({ port: 8080, isRoot: false, demo, machine: [] }))).toEqual([ready, ...lines]);
});

it("warns of running as root", () => {
  expect(linesOf(welcome({ port: 8080, isRoot: true, demo: undefined, machine: [] }))).toEqual([
    ready,
    expect.stringContaining("docs/OPERATIONS.md"),
  ]);
});

it("tells what Android could run with, and what adds the rest", () => {
  const machine = [
    { what: "adb", is_possible: true, says: "the adb server has R5 (device)", help: null },
    { what: "kvm", is_possible: false, says: "there is no /dev/kvm", help: "sudo modprobe kvm_intel" },
  ] as const;
  expect(linesOf(welcome({ port: 8080, isRoot: false, demo: { published: [], made: [] }, machine })).slice(-4)).toEqual(
    [
      "Android on this machine (docs/RUNTIMES.md):",
      "  yes  adb          the adb server has R5 (device)",
      "  no   kvm          there is no /dev/kvm",
      "                    sudo modprobe kvm_intel",
    ],
  );
});
