import { openTunnel } from "@terrarium/adb-tunnel/client";
import { stockAdb } from "@terrarium/e2e/support/adb.ts";
import { startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { processesOf, usageOf } from "@terrarium/e2e/support/processes.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { megabytes, percentile, print, spread } from "./support/figures.ts";

/**
 * What a device's adb loses through its tunnel: the stock adb, directly and through `adb_url`, in turns; and what a large file costs that
 * somebody brings to `file_upload_url` in the player's own messages. All processes share this machine.
 */

const ROUNDS = 5;
const FILE_BYTES = 50_000_000;
const SHELLS = 30;
/** Ten times the other, for which no more memory is needed. */
const UPLOAD_BYTES = [50_000_000, 500_000_000];
/** The same for both, or the larger file would need more for its messages alone. */
const MESSAGE_BYTES = 5_000_000;
const SAMPLE_MS = 100;

const server = await TestServer.start();
const adb = await stockAdb();
const folder = await mkdtemp(join(tmpdir(), "terrarium-tunnel-"));
const file = join(folder, "file");

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

async function compare(ways: Record<string, (...words: string[]) => Promise<unknown>>): Promise<void> {
  const rates = new Map<string, number[]>();
  const add = (name: string, figure: number) => rates.set(name, [...(rates.get(name) ?? []), figure]);
  for (let round = 0; round < ROUNDS; round++)
    for (const [way, device] of Object.entries(ways)) {
      const push = await timed(() => device("push", file, "/sdcard/Download/file"));
      const pull = await timed(() => device("pull", "/sdcard/Download/file", join(folder, "back")));
      add(`push, ${way}`, FILE_BYTES / 1e6 / (push / 1000));
      add(`pull, ${way}`, FILE_BYTES / 1e6 / (pull / 1000));
      for (let shell = 0; shell < SHELLS / ROUNDS; shell++)
        add(`shell, ${way}`, await timed(() => device("shell", "true")));
    }
  console.log(
    `${ROUNDS} times ${FILE_BYTES / 1e6} MB, MB/s (least, median, most); ${SHELLS} times \`adb shell true\`, ms`,
  );
  for (const [name, figures] of rates)
    print(
      name,
      name.startsWith("shell")
        ? spread(figures, 1)
        : [0.01, 0.5, 1].map((share) => percentile(figures, share).toFixed(1)).join("  "),
    );
  const median = (name: string) => percentile(rates.get(name) ?? [], 0.5);
  for (const what of ["push", "pull", "shell"])
    print(`tunnel by direct, ${what} (median)`, (median(`${what}, tunnel`) / median(`${what}, direct`)).toFixed(2));
}

/** Brings a file as the player does, in messages, and resolves when the device has it. */
function upload(url: string, token: string, size: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(url);
  const message = Buffer.alloc(MESSAGE_BYTES, 7);
  let sent = 0;
  socket.addEventListener("close", ({ code }) => reject(new Error(`closed with ${code}`)));
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ type: "token", token }));
    socket.send(JSON.stringify({ type: "FILE_UPLOAD", name: `${size}.bin`, size }));
  });
  socket.addEventListener("message", ({ data }) => {
    const { code } = JSON.parse(String(data)) as { code: string };
    if (code === "SUCCESS") resolve();
    else if (code === "FAIL") reject(new Error(String(data)));
    if (code !== "NEXT") return;
    if (sent === size) return socket.send(JSON.stringify({ type: "FILE_UPLOAD", done: true }));
    sent += message.length;
    socket.send(message);
  });
  return promise.finally(() => socket.close());
}

try {
  await writeFile(file, randomBytes(FILE_BYTES));
  const { client } = await server.signIn(demo.user);
  const instance = await startDevice(client, { search: "Phone 6.1 in, Android 15" });
  await untilState(client, instance.uuid, "ONLINE");
  const token = async () =>
    (await client.instances.accessToken({ body: { instance_uuid: instance.uuid } })).access_token;
  const tunnel = await openTunnel({ url: instance.adb_url, token });
  const [row] = await server.instances();
  await compare({
    direct: await adb.connect(row?.adb ?? ""),
    tunnel: await adb.connect(`127.0.0.1:${tunnel.port}`),
  });
  await tunnel.close();

  // Looked for once: a search through all processes takes longer than from one sample to the next.
  const roles = ["server", "gateway"] as const;
  const found = (await processesOf(server.dataDir)).filter(({ role }) => role === "server" || role === "gateway");
  const sample = async () => {
    const usage = await usageOf(found);
    return roles.map((role) => {
      const bytes = usage[role]?.bytes;
      if (!bytes) throw new Error(`the ${role} has ended`);
      return bytes;
    });
  };
  const rises: number[] = [];
  // Once: what the first leaves behind is part of what the second adds.
  const before = await sample();
  for (const size of UPLOAD_BYTES) {
    let most = [0, 0];
    let isOver = false;
    const sampling = async () => {
      for (; !isOver; await setTimeout(SAMPLE_MS))
        most = (await sample()).map((bytes, index) => Math.max(bytes, most[index]!));
    };
    const uploading = timed(async () => upload(instance.file_upload_url, await token(), size));
    const [ms] = await Promise.all([uploading.finally(() => (isOver = true)), sampling()]);
    console.log(`${size / 1e6} MB to file_upload_url, in messages of ${MESSAGE_BYTES / 1e6} MB`);
    print("MB/s", (size / 1e6 / (ms / 1000)).toFixed(1));
    for (const [index, role] of roles.entries())
      print(`memory of the ${role}, before and at most`, `${megabytes(before[index]!)}  ${megabytes(most[index]!)}`);
    rises.push(Math.max(0, most[0]! + most[1]! - before[0]! - before[1]!));
  }
  print("rise of memory, by the size of the file", rises.map((bytes) => megabytes(bytes)).join("  "));
  print("load of the machine", loadavg()[0]?.toFixed(1) ?? "");
} finally {
  await adb.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
