import { aborted, systemClock } from "@terrarium/clock";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, it } from "vitest";
import { QMP_SOCKET } from "./arguments.ts";
import { Qmp } from "./qmp.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

/** A QEMU that answers every command but `stop`, at which it is killed in the middle of a line. */
async function create() {
  const folder = await mkdtemp(join(tmpdir(), "qmp-"));
  undo.push(() => rm(folder, { recursive: true }));
  const server = createServer((socket: Socket) => {
    socket.write(`{"QMP": {}}\n`);
    createInterface({ input: socket }).on("line", (line) => {
      const { id, execute } = JSON.parse(line) as { id: number; execute: string };
      if (execute === "stop") socket.end(`{"event": "SHUTDOWN", "data": {"reason": "host-signal"}}\n{"return`);
      else socket.write(`{"return": {"command": "${execute}"}, "id": ${id}}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, QMP_SOCKET), resolve));
  undo.push(() => server.close());
  return Qmp.connect(folder, systemClock, AbortSignal.timeout(5_000));
}

it("answers each command with what QEMU says to it", async () => {
  const qmp = await create();
  undo.push(() => qmp.close());
  expect(await Promise.all([qmp.ask("cont"), qmp.ask("query-status")])).toEqual([
    { command: "cont" },
    { command: "query-status" },
  ]);
});

it("ends what was asked when QEMU is killed in the middle of a line", async () => {
  const qmp = await create();
  await expect(qmp.ask("stop")).rejects.toThrow("QEMU has ended");
  await aborted(qmp.closed);
  expect(qmp.lastReason).toBe("host-signal");
});
