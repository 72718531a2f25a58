import type { InstallFailure, InstallRules } from "../../device/packages.ts";
import { type Command, type Commands, copyFile, type Invocation, pathOf, UsageError } from "../invocation.ts";

/** Since Android 9 an installed package is replaced unless `-R` is given; before, only with `-r`. */
const REPLACES_SINCE = 28;

/** Options and other words. The options in `valued` take the next word as their value. */
export function splitOptions(
  args: readonly string[],
  valued: readonly string[],
): { flags: Map<string, string>; rest: string[] } {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  const words = [...args];
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === "--") return { flags, rest: [...rest, ...words] };
    if (!word.startsWith("-") || word === "-") rest.push(word);
    else if (word.includes("=")) flags.set(word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1));
    else flags.set(word, valued.includes(word) ? (words.shift() ?? "") : "");
  }
  return { flags, rest };
}

const known = new Set([
  "-r",
  "-R",
  "-d",
  "-t",
  "-g",
  "-S",
  "-i",
  "--user",
  "-f",
  "-s",
  "--dexopt-compiler-filter",
  "--bypass-low-target-sdk-block",
  "--full",
  "--instant",
  "--no-streaming",
  "--streaming",
  "-l",
  "--install-location",
  "--package",
  "--abi",
  "--force-uuid",
  "--no-incremental",
  "--fastdeploy",
  "--restrict-permissions",
]);

function rulesOf(call: Invocation, flags: Map<string, string>): InstallRules {
  return {
    replace: flags.has("-r") || (call.device.spec.image.sdkVersion >= REPLACES_SINCE && !flags.has("-R")),
    allowDowngrade: flags.has("-d"),
    allowTestOnly: flags.has("-t"),
    grantAll: flags.has("-g"),
    bypassLowTargetSdk: flags.has("--bypass-low-target-sdk-block"),
  };
}

const VALUED = [
  "-S",
  "-i",
  "--user",
  "--dexopt-compiler-filter",
  "--install-location",
  "--package",
  "--abi",
  "--force-uuid",
];

/** The options and other words of an installation; undefined, with a word on stderr, for an unknown option. */
async function installOptions(
  call: Invocation,
): Promise<{ flags: Map<string, string>; rest: string[]; size: number | undefined } | undefined> {
  const { flags, rest } = splitOptions(call.args, VALUED);
  const unknown = [...flags.keys()].find((flag) => !known.has(flag));
  if (unknown) {
    await call.stderr.write(`Error: Unknown option ${unknown}\n`);
    return undefined;
  }
  const size = flags.has("-S") ? Number(flags.get("-S")) : undefined;
  if (size !== undefined && (!Number.isSafeInteger(size) || size < 0))
    throw new UsageError("Error: must specify a APK size");
  return { flags, rest, size };
}

async function report(call: Invocation, failure: InstallFailure): Promise<number> {
  await call.stdout.write(failure === undefined ? "Success\n" : `Failure [${failure}]\n`);
  return failure === undefined ? 0 : 1;
}

/** `install [options] PATH` and `install -S BYTES [-]`, where the APK comes as input. */
const install: Command = async (call) => {
  const options = await installOptions(call);
  if (!options) return 1;
  const { flags, rest, size } = options;
  const { packages, files } = call.device;
  const path = rest.find((word) => word !== "-");
  if (path !== undefined) return report(call, packages.install([pathOf(call, path)], rulesOf(call, flags)));
  if (size === undefined) {
    await call.stderr.write("Error: must either specify a package size or an APK file\n");
    return 1;
  }
  const staged = packages.stage();
  try {
    return await report(call, (await receive(call, staged, size)) ?? packages.install([staged], rulesOf(call, flags)));
  } finally {
    if (files.exists(staged)) files.remove(staged);
  }
};

const installCreate: Command = async (call) => {
  const options = await installOptions(call);
  if (!options) return 1;
  const id = call.device.installSessions.create(rulesOf(call, options.flags));
  if (id === undefined) throw new UsageError("Error: java.lang.IllegalStateException: Too many active sessions", 255);
  await call.stdout.write(`Success: created install session [${id}]\n`);
  return 0;
};

/** The session a word names. */
function sessionOf(call: Invocation, word: string | undefined): number {
  const id = /^\d+$/.test(word ?? "") ? Number(word) : -1;
  if (call.device.installSessions.has(id)) return id;
  throw new UsageError(`Error: java.lang.SecurityException: Caller has no access to session ${word ?? ""}`, 255);
}

/** `install-write [-S BYTES] SESSION NAME [PATH|-]` */
const installWrite: Command = async (call) => {
  const options = await installOptions(call);
  if (!options) return 1;
  const { rest, size } = options;
  const [session, name = "", path] = rest;
  const id = sessionOf(call, session);
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.length > 255)
    throw new UsageError(`Error: java.lang.IllegalArgumentException: Invalid name: ${name}`, 255);
  const fromInput = path === undefined || path === "-";
  if (fromInput && size === undefined) throw new UsageError("Error: must specify a APK size");
  const { installSessions, files } = call.device;
  const reader = fromInput ? undefined : call.shell.files.open(pathOf(call, path));
  const staged = installSessions.stage(id, name);
  if (staged === undefined) throw new UsageError("Error: too many parts", 255);
  let failure: InstallFailure = "INSTALL_FAILED_INTERNAL_ERROR";
  try {
    if (reader) {
      await copyFile(call, reader, files.create(staged, 0o644));
      failure = undefined;
    } else failure = await receive(call, staged, size!);
  } finally {
    if (failure !== undefined) installSessions.unstage(id, name);
  }
  if (failure !== undefined) return report(call, failure);
  await call.stdout.write(`Success: streamed ${reader?.size ?? size} bytes\n`);
  return 0;
};

/** What ends a session: `install-commit SESSION` and `install-abandon SESSION`. */
const withSession =
  (act: (call: Invocation, id: number) => InstallFailure): Command =>
  async (call) => {
    const { rest } = splitOptions(call.args, VALUED);
    return report(call, act(call, sessionOf(call, rest[0])));
  };

/** Writes exactly `size` bytes of input to a file. Returns a failure if they do not come or do not fit. */
async function receive(call: Invocation, path: string, size: number): Promise<string | undefined> {
  if (size > call.device.volume.availableBytes) return "INSTALL_FAILED_INSUFFICIENT_STORAGE: Not enough space";
  const writer = call.device.files.create(path, 0o644);
  let left = size;
  try {
    while (left > 0) {
      const chunk = await call.stdin.read();
      if (!chunk) return "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION: unexpected end of file";
      writer.write(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
    }
  } finally {
    writer.close();
  }
  return undefined;
}

/** The verbs of `pm` that install. */
export const installVerbs: Commands = {
  install,
  "install-streaming": install,
  "install-create": installCreate,
  "install-write": installWrite,
  "install-commit": withSession((call, id) => call.device.installSessions.commit(id)),
  "install-abandon": withSession((call, id) => {
    call.device.installSessions.abandon(id);
    return undefined;
  }),
};
