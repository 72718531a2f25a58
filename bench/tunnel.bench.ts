import { openTunnel } from "@terrarium/adb-tunnel/client";
import { stockAdb } from "@terrarium/e2e/support/adb.ts";
import { startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { megabytes, percentile, print, spread } from "./support/figures.ts";

/**
 * What a device's adb loses through its tunnel: the stock adb, directly and through `adb_url`, in turns; and what a large file costs that
 * somebody brings to `file_upload_url` in the player's own messages. All processes share this machine.
 */

const ROUNDS = 5;
const FILE_BYTES = 50_000_000;
const SHELLS = 30;
const LARGE_BYTES = 500_000_000;
/** Of the player: a tenth of the file. */
const MESSAGE_BYTES = LARGE_BYTES / 10;
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
}

/** Brings a file as the player does, and resolves when the device has it. */
function upload(url: string, token: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(url);
  const message = Buffer.alloc(MESSAGE_BYTES, 7);
  let sent = 0;
  socket.addEventListener("close", ({ code }) => reject(new Error(`closed with ${code}`)));
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ type: "token", token }));
    socket.send(JSON.stringify({ type: "FILE_UPLOAD", name: "large.bin", size: LARGE_BYTES }));
  });
  socket.addEventListener("message", ({ data }) => {
    const { code } = JSON.parse(String(data)) as { code: string };
    if (code === "SUCCESS") resolve();
    else if (code === "FAIL") reject(new Error(String(data)));
    if (code !== "NEXT") return;
    if (sent === LARGE_BYTES) return socket.send(JSON.stringify({ type: "FILE_UPLOAD", done: true }));
    sent += MESSAGE_BYTES;
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

  const memory = async (role: "server" | "gateway") => (await usageOfRoles(server.dataDir, role)).bytes;
  const most = { server: 0, gateway: 0 };
  const before = { server: await memory("server"), gateway: await memory("gateway") };
  const sampling = setInterval(() => {
    for (const role of ["server", "gateway"] as const)
      void memory(role).then((bytes) => (most[role] = Math.max(most[role], bytes)));
  }, SAMPLE_MS);
  const ms = await timed(async () => upload(instance.file_upload_url, await token()));
  clearInterval(sampling);
  console.log(`${LARGE_BYTES / 1e6} MB to file_upload_url, in messages of ${MESSAGE_BYTES / 1e6} MB`);
  print("MB/s", (LARGE_BYTES / 1e6 / (ms / 1000)).toFixed(1));
  for (const role of ["server", "gateway"] as const)
    print(`memory of the ${role}, before and at most`, `${megabytes(before[role])}  ${megabytes(most[role])}`);
  print("load of the machine", loadavg()[0]?.toFixed(1) ?? "");
} finally {
  await adb.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
