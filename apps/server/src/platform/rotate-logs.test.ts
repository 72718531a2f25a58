import { TestClock } from "@terrarium/clock";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "./log.ts";
import { rotateLogs } from "./rotate-logs.ts";

const MB = 1_000_000;
const TEN_SECONDS = 10_000;

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), "terrarium-logs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clock = new TestClock();
  const end = new AbortController();
  const rotating = rotateLogs(folder, { clock, log: createLog("silent", "test"), signal: end.signal });
  onTestFinished(async () => {
    end.abort();
    await rotating;
  });
  /** Opens a file as another process does whose output goes there. */
  const writer = (name: string) => {
    const file = openSync(join(folder, name), "a");
    onTestFinished(() => closeSync(file));
    return (letter: string, bytes: number) => writeSync(file, letter.repeat(bytes));
  };
  const size = (name: string) => statSync(join(folder, name)).size;
  const first = (name: string) => readFileSync(join(folder, name), "latin1")[0];
  return { folder, clock, writer, size, first, names: () => readdirSync(folder).sort() };
}

/** Advances by ten seconds, and until what that began has been done. */
async function tick(clock: TestClock, isDone: () => boolean) {
  await clock.advance(TEN_SECONDS);
  await expect.poll(isDone).toBe(true);
}

it("moves what was written, while the writer goes on in the same file", async () => {
  const { clock, writer, size, first } = aFolder();
  const write = writer("postgres.log");
  write("a", 10 * MB + 1);
  await tick(clock, () => size("postgres.log") === 0);
  write("b", 5);
  expect([size("postgres.log"), first("postgres.log")]).toEqual([5, "b"]);
  expect([size("postgres.log.1"), first("postgres.log.1")]).toEqual([10 * MB + 1, "a"]);
});

it("keeps three older parts", async () => {
  const { clock, writer, size, first, names } = aFolder();
  const write = writer("simulator.log");
  for (const letter of ["a", "b", "c", "d", "e"]) {
    write(letter, 10 * MB + 1);
    await tick(clock, () => size("simulator.log") === 0);
  }
  expect(names()).toEqual(["simulator.log", "simulator.log.1", "simulator.log.2", "simulator.log.3"]);
  expect(["1", "2", "3"].map((part) => first(`simulator.log.${part}`))).toEqual(["e", "d", "c"]);
});

it("leaves small logs and other files alone", async () => {
  const { clock, writer, names, size } = aFolder();
  writer("small.log")("a", 10 * MB);
  writer("disk.img")("a", 10 * MB + 1);
  const write = writer("large.log");
  write("a", 10 * MB + 1);
  await tick(clock, () => size("large.log") === 0);
  expect(names()).toEqual(["disk.img", "large.log", "large.log.1", "small.log"]);
  expect([size("disk.img"), size("small.log")]).toEqual([10 * MB + 1, 10 * MB]);
});

it("empties a log that cannot be copied", async () => {
  const { folder, clock, writer, size } = aFolder();
  writer("postgres.log")("a", 10 * MB + 1);
  // A folder in its place stands for a full disk.
  mkdirSync(join(folder, "postgres.log.1", "in the way"), { recursive: true });
  mkdirSync(join(folder, "postgres.log.2", "in the way"), { recursive: true });
  await tick(clock, () => size("postgres.log") === 0);
  expect(size("postgres.log")).toBe(0);
});
