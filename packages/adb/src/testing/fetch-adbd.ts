import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The genuine Android adb daemon, as Debian builds it for Linux. */
export interface Adbd {
  program: string;
  /** For LD_LIBRARY_PATH. */
  libraries: string;
}

const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/terrarium/adbd", import.meta.url));
const RELEASE = "bookworm";
/** The daemon and those of its libraries that a plain Debian 12 does not have. */
const PACKAGES = [
  "adbd",
  "android-libbase",
  "android-libboringssl",
  "android-libcutils",
  "android-liblog",
  "libprotobuf32",
];
const FETCH_TIMEOUT_MS = 90_000;

/**
 * Gets adbd 34 from Debian 12's backports, from the server that the machine's apt already uses and with its keyring, into
 * a cache under node_modules. Nothing is installed and apt's own lists are not touched. Answers why not when it cannot be had.
 */
export async function fetchAdbd(): Promise<Adbd | { missing: string }> {
  const adbd = adbdIn(CACHE);
  if (await exists(adbd.program)) return adbd;
  try {
    const osRelease = await readFile("/etc/os-release", "utf8");
    if (!osRelease.includes(`VERSION_CODENAME=${RELEASE}`)) return { missing: "adbd is fetched on Debian 12 only" };
    const source = await findSource();
    if (!source) return { missing: `apt knows no source of ${RELEASE}` };
    await mkdir(join(CACHE, ".."), { recursive: true });
    const folder = await mkdtemp(`${CACHE}-`);
    try {
      await download(folder, source);
      await rename(join(folder, "root"), CACHE);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return adbd;
  } catch (error) {
    return { missing: `adbd could not be fetched: ${reasonOf(error)}` };
  }
}

/** The last line that a program printed before it failed, or why it could not be started. */
function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return stderr.split("\n").at(-1) || String(error);
}

function adbdIn(root: string): Adbd {
  const library = join(root, "usr/lib/x86_64-linux-gnu");
  return {
    program: join(root, "usr/lib/android-sdk/platform-tools/adbd"),
    libraries: `${join(library, "android")}:${library}`,
  };
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

interface AptSource {
  uri: string;
  signedBy: string | undefined;
}

/** The source of the release among those apt has, in either of its two notations. */
async function findSource(): Promise<AptSource | undefined> {
  const folder = "/etc/apt/sources.list.d";
  const names = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  for (const path of [...names, "/etc/apt/sources.list"]) {
    const text = await readFile(path, "utf8").catch(() => "");
    const found = path.endsWith(".sources") ? fromStanzas(text) : fromLines(text);
    if (found) return found;
  }
  return undefined;
}

function fromStanzas(text: string): AptSource | undefined {
  for (const stanza of text.split(/\n\s*\n/)) {
    const field = (name: string) => new RegExp(`^${name}:\\s*(.+)$`, "im").exec(stanza)?.[1]?.trim();
    const uri = field("URIs")?.split(/\s+/)[0];
    if (uri && field("Suites")?.split(/\s+/).includes(RELEASE)) return { uri, signedBy: field("Signed-By") };
  }
  return undefined;
}

function fromLines(text: string): AptSource | undefined {
  for (const line of text.split("\n")) {
    const [, options = "", uri, suite] = /^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)/.exec(line) ?? [];
    if (uri && suite === RELEASE) return { uri, signedBy: /signed-by=(\S+)/.exec(options)?.[1] };
  }
  return undefined;
}

async function download(folder: string, { uri, signedBy }: AptSource): Promise<void> {
  const [lists, debs, root, cache] = ["lists", "debs", "root", "cache"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [join(lists, "partial"), debs, root, join(cache, "archives", "partial")])
    await mkdir(path, { recursive: true });
  const options = signedBy ? `[signed-by=${signedBy}] ` : "";
  const sourceList = join(folder, "sources.list");
  const suites = [RELEASE, `${RELEASE}-backports`];
  await writeFile(sourceList, suites.map((suite) => `deb ${options}${uri} ${suite} main\n`).join(""));
  const settings = {
    "Dir::Etc::SourceList": sourceList,
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::State::Lists": lists,
    "Dir::Cache": cache,
    "Acquire::Languages": "none",
    "Acquire::Retries": "1",
    "Acquire::http::Timeout": "15",
    // Otherwise lists that cannot be had are only warned of.
    "APT::Update::Error-Mode": "any",
    "APT::Default-Release": `${RELEASE}-backports`,
    // The folder is ours: apt's own user could not write here.
    "APT::Sandbox::User": "root",
  };
  const apt = async (...words: string[]) =>
    await run("apt-get", [...Object.entries(settings).flatMap(([key, value]) => ["-o", `${key}=${value}`]), ...words], {
      cwd: debs,
      timeout: FETCH_TIMEOUT_MS,
    });
  await apt("update");
  await apt("download", ...PACKAGES);
  for (const deb of await readdir(debs)) await run("dpkg", ["-x", join(debs, deb), root]);
}
