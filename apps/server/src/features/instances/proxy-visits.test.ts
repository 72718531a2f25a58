import { TestClock } from "@terrarium/clock";
import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { proxyVisits } from "./proxy-visits.ts";
import { adbPathOf, miniaturePathOf, playerPathOf, showcasePathOf, toolsPathOf, uploadPathOf } from "./visit-path.ts";

const DEVICE = "00000000-0000-4000-8000-000000000001";

/** Visitors of one network, who wait for a gateway that is never found; `visit` returns whether they may. */
function create() {
  const server = createServer();
  proxyVisits(server, {
    find: () => new Promise(() => undefined),
    clientAddress: () => "203.0.113.7",
    clock: new TestClock(),
    log: createLog("silent", "test"),
  });
  return (url: string): boolean => {
    const socket = new PassThrough();
    server.emit("upgrade", { url, headers: {}, rawHeaders: [] }, socket, Buffer.alloc(0));
    return !socket.writableEnded;
  };
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

it("a wall of miniatures keeps no player of its network out", () => {
  const visit = create();
  expect(times(1_500, () => visit(miniaturePathOf(DEVICE)))).not.toContain(false);
  expect(visit(playerPathOf(DEVICE))).toBe(true);
});

it("both are limited", () => {
  const visit = create();
  expect(times(600, () => visit(playerPathOf(DEVICE)))).toContain(false);
  expect(times(2_500, () => visit(miniaturePathOf(DEVICE)))).toContain(false);
});

it("strangers have four sockets to what is shown to everybody, and keep no player of their network out", () => {
  const visit = create();
  expect(times(5, () => visit(showcasePathOf(DEVICE)))).toEqual([true, true, true, true, false]);
  expect(visit(playerPathOf(DEVICE))).toBe(true);
});

it("adb, files and tools come in as well, and keep no player out", () => {
  const visit = create();
  for (const path of [adbPathOf(DEVICE), uploadPathOf(DEVICE), toolsPathOf(DEVICE)])
    expect(times(600, () => visit(`${path}?token=t`))).toContain(false);
  expect(visit(playerPathOf(DEVICE))).toBe(true);
});
