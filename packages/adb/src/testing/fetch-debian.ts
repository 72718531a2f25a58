import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Files of Debian 12 that a test needs. */
export interface DebianFiles {
  /** Of the folder that they are cached in. */
  name: string;
  /** Shows that they are there, in that folder. */
  file: string;
  /** Whose versions are taken. */
  release: "bookworm" | "bookworm-backports";
  /** The names of the packages. @param cache asks apt-cache, and returns what it prints */
  choose: (cache: (...words: string[]) => Promise<string>) => Promise<string[]>;
  /** What of them is unpacked, as patterns of paths; all by default. */
  only?: readonly string[];
}

const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/terrarium/", import.meta.url));
const RELEASE = "bookworm";
const FETCH_TIMEOUT_MS = 90_000;

/**
 * Gets packages of Debian 12 from the server that the machine's apt already uses and with its keyring, into a cache under node_modules.
 * Nothing is installed and apt's own lists are not touched. Returns the folder that they were unpacked into, or why they cannot be had.
 */
export async function fetchDebian({ name, file, ...files }: DebianFiles): Promise<string | { missing: string }> {
  const cache = join(CACHE, name);
  if (await exists(join(cache, file))) return cache;
  try {
    const osRelease = await readFile("/etc/os-release", "utf8");
    if (!osRelease.includes(`VERSION_CODENAME=${RELEASE}`)) return { missing: `${name} is fetched on Debian 12 only` };
    const source = await findSource();
    if (!source) return { missing: `apt knows no source of ${RELEASE}` };
    await mkdir(CACHE, { recursive: true });
    const folder = await mkdtemp(`${cache}-`);
    try {
      await download(folder, source, files);
      await rename(join(folder, "root"), cache).catch((error: NodeJS.ErrnoException) => {
        // Another process has fetched the same meanwhile.
        if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return cache;
  } catch (error) {
    return { missing: `${name} could not be fetched: ${reasonOf(error)}` };
  }
}

/** The last line that a program printed before it failed, or why it could not be started. */
function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return stderr.split("\n").at(-1) || String(error);
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

/** Downloads and unpacks packages. @param choose names them; it may ask apt */
async function download(
  folder: string,
  { uri, signedBy }: AptSource,
  { release, choose, only }: Pick<DebianFiles, "release" | "choose" | "only">,
): Promise<void> {
  const [lists, debs, root, cache] = ["lists", "debs", "root", "cache"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [join(lists, "partial"), debs, root, join(cache, "archives", "partial")])
    await mkdir(path, { recursive: true });
  const signed = signedBy ? `[signed-by=${signedBy}] ` : "";
  const sourceList = join(folder, "sources.list");
  const suites = [RELEASE, `${RELEASE}-backports`];
  await writeFile(sourceList, suites.map((suite) => `deb ${signed}${uri} ${suite} main\n`).join(""));
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
    "APT::Default-Release": release,
    // The folder is ours: apt's own user could not write here.
    "APT::Sandbox::User": "root",
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
  const apt = async (program: "apt-get" | "apt-cache", ...words: string[]) =>
    (await run(program, [...options, ...words], { cwd: debs, timeout: FETCH_TIMEOUT_MS })).stdout;
  await apt("apt-get", "update");
  await apt("apt-get", "download", ...(await choose((...words) => apt("apt-cache", ...words))));
  const patterns = only?.map((pattern) => `./${pattern}`) ?? ["."];
  const unpack = 'dpkg --fsys-tarfile "$0" | tar -x -C "$1" --wildcards "${@:2}"';
  for (const deb of await readdir(debs)) await run("bash", ["-c", unpack, join(debs, deb), root, ...patterns]);
}
