/**
 * Stands in for Google's emulator where that cannot be had. It takes its options and its AVDs, listens on the ports that it is given, has
 * its console with the token, stores its data in an overlay of `userdata-qemu.img` by a genuine `qemu-img`, and saves and loads snapshots.
 * Its device is a daemon of adb with files and a handful of commands, which boots in stages. It runs no Android.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeSocketDuplex, serveAdb, type ShellRequest } from "@terrarium/adb";
import { ToyFiles } from "@terrarium/adb/testing";
import { HELP } from "./stand-in-sdk.ts";

const DISK = "userdata-qemu.img";

const fail = (text: string): never => {
  console.log(text);
  process.exit(1);
};

const help = readFileSync(join(process.env["ANDROID_SDK_ROOT"]!, HELP), "utf8");
const words = process.argv.slice(2);
const given = new Map<string, string>();
while (words.length > 0) {
  const [, option, value] = new RegExp(`^ *(${words.shift()!})( <\\w+>)?  `, "m").exec(help) ?? [];
  if (option === undefined) fail("unknown option\nplease use -help for a list of valid options");
  else given.set(option.slice(1), value === undefined ? "" : words.shift()!);
}

const readIni = (path: string) =>
  new Map(
    readFileSync(path, "utf8")
      .split("\n")
      .map((line) => [line.split("=")[0]!, line.split("=").slice(1).join("=")]),
  );
const name = given.get("avd")!;
const home = process.env["ANDROID_AVD_HOME"]!;
if (!existsSync(join(home, `${name}.ini`)))
  fail(`PANIC: Unknown AVD name [${name}], use -list-avds to see valid list.`);
const avd = readIni(join(home, `${name}.ini`)).get("path")!;
const config = readIni(join(avd, "config.ini"));
const image = config.get("image.sysdir.1")!;
if (!existsSync(join(image, "system.img"))) fail("PANIC: Broken AVD system path. Check your ANDROID_SDK_ROOT value");
const lock = join(avd, "hardware-qemu.ini.lock");
if (existsSync(lock)) fail("FATAL | Running multiple emulators with the same AVD is an experimental feature.");
mkdirSync(lock);

const qemuImg = (...args: string[]) =>
  execFileSync(join(process.env["ANDROID_SDK_ROOT"]!, "emulator/qemu-img"), args, {
    cwd: avd,
    stdio: ["ignore", "pipe", "inherit"],
  });
const size = Number.parseInt(config.get("disk.dataPartition.size")!, 10) * 1024 * 1024;
if (!existsSync(join(avd, DISK))) writeFileSync(join(avd, DISK), "");
if (statSync(join(avd, DISK)).size < size) truncateSync(join(avd, DISK), size);
const overlay = `${DISK}.qcow2`;
if (!existsSync(join(avd, overlay)))
  qemuImg("create", "-q", "-f", "qcow2", "-F", "raw", "-b", join(avd, DISK), overlay);

// The disk: the length of a text, and the text, which says what files there are.
const files = new ToyFiles();
const raw = join(avd, "tmp-disk.raw");
qemuImg("convert", "-U", "-O", "raw", overlay, raw);
const disk = openSync(raw, "r");
const read = (at: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  readSync(disk, buffer, 0, bytes, at);
  return buffer;
};
const length = read(0, 4).readUInt32BE();
if (length > 0)
  for (const [path, text] of JSON.parse(String(read(4, length))) as [string, string][])
    files.files.set(path, { mode: 0o100644, mtime: 0, bytes: Buffer.from(text, "latin1") });
closeSync(disk);
rmSync(raw);
let written = "";
function writeDisk(): void {
  const list = [...files.files].map(([path, { bytes }]) => [path, Buffer.from(bytes).toString("latin1")]);
  const text = JSON.stringify(list.toSorted(([one], [other]) => (one! < other! ? -1 : 1)));
  if (text === written || (written === "" && list.length === 0)) return;
  written = text;
  const head = Buffer.alloc(4);
  head.writeUInt32BE(Buffer.byteLength(text));
  writeFileSync(raw, head);
  appendFileSync(raw, text);
  truncateSync(raw, size);
  // In place, as a guest writes: an image that is made anew would lose its snapshots.
  const fresh = `${overlay}.fresh`;
  qemuImg("convert", "-O", "qcow2", "-B", join(avd, DISK), "-F", "raw", raw, fresh);
  writeFileSync(join(avd, overlay), readFileSync(join(avd, fresh)));
  for (const path of [raw, join(avd, fresh)]) rmSync(path);
}

const snapshot = given.get("snapshot");
const isQuick = snapshot !== undefined && existsSync(join(avd, "snapshots", snapshot, "ram.bin"));
if (snapshot !== undefined)
  console.log(isQuick ? `INFO | Loading snapshot '${snapshot}'...` : "WARNING | cold booting");
/** `stuck` in the folder of the image says where its boot ends. */
const stuck = existsSync(join(image, "stuck")) ? readFileSync(join(image, "stuck"), "utf8").trim() : "";
const stages = ["1", "stopped", "package:/system/framework/framework-res.apk", "  mCurrentFocus=Window{1 u0 launcher}"];
const reached = stuck === "" ? stages.length : Number(stuck);

const commands: Record<string, (request: ShellRequest) => string> = {
  sync: () => "",
  nproc: () => given.get("cores")!,
  memory: () => given.get("memory")!,
  started: () => (isQuick ? "snapshot" : "cold"),
  heard: () => heard.join("|"),
};
const services = {
  files,
  async shell(request: ShellRequest): Promise<number> {
    const [, path] = /^(?:rm|cat) (\S+)$/.exec(request.command) ?? [];
    if (request.command.startsWith("getprop sys.boot_completed"))
      await request.stdout.write(
        stages.map((said, at) => (at < reached ? said : at === 1 ? "running" : "")).join("\n"),
      );
    else if (request.command.startsWith("rm ") && path) files.files.delete(path);
    else if (request.command.startsWith("cat ") && path) {
      const file = files.files.get(path);
      if (!file) return 1;
      await request.stdout.write(file.bytes);
    } else if (Object.hasOwn(commands, request.command))
      await request.stdout.write(commands[request.command]!(request));
    else return 127;
    return 0;
  },
};

const [consolePort, adbPort] = given.get("ports")!.split(",").map(Number);
createServer((socket) => {
  const banner = { product: "sdk_gphone64_x86_64", model: "sdk_gphone64_x86_64", device: "emu64x" };
  serveAdb(nodeSocketDuplex(socket), { banner, services });
}).listen(adbPort, "127.0.0.1");

const token = readFileSync(join(process.env["HOME"]!, ".emulator_console_auth_token"), "utf8");
/** What was sent to it beside what is about snapshots. */
const heard: string[] = [];
let isRunning = true;
function obey(line: string): string {
  if (line === "avd name") return `${name}\r\nOK`;
  if (line === "avd stop" || line === "avd start") {
    if (isRunning === (line === "avd start")) return `KO: virtual device already ${isRunning ? "running" : "stopped"}`;
    isRunning = !isRunning;
    if (!isRunning) writeDisk();
    return "OK";
  }
  const [, saved] = /^avd snapshot save (\w+)$/.exec(line) ?? [];
  if (saved !== undefined) {
    if (existsSync(join(image, "no-snapshots"))) return "KO: Device does not support snapshots";
    writeDisk();
    mkdirSync(join(avd, "snapshots", saved), { recursive: true });
    for (const part of ["ram.bin", "snapshot.pb"]) writeFileSync(join(avd, "snapshots", saved, part), `the ${part}`);
    return "OK";
  }
  if (line === "kill") setImmediate(() => process.exit(0));
  if (line === "kill") return "OK: killing emulator, bye bye";
  if (/^(geo|gsm|sms|power|finger) /.test(line)) {
    heard.push(line);
    return "OK";
  }
  return "KO: unknown command, try 'help'";
}
createServer((socket: Socket) => {
  let isKnown = false;
  socket.on("error", () => undefined);
  socket.write(
    "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\nOK\r\n",
  );
  createInterface({ input: socket }).on("line", (line) => {
    if (isKnown) socket.write(`${obey(line)}\r\n`);
    else if (line === `auth ${token}`) {
      isKnown = true;
      socket.write("Android Console: type 'help' for a list of commands\r\nOK\r\n");
    } else socket.write("KO: authentication token does not match ~/.emulator_console_auth_token\r\n");
  });
}).listen(consolePort, "127.0.0.1", () => console.log("INFO | Boot completed in 1 ms"));
