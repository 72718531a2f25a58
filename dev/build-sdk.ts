import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** Its entries, by the names under which they are imported. */
const entries = {
  ".": "index",
  "./events": "events",
  "./adb": "adb",
  "./display": "display",
  "./scenario-file": "scenario-file",
};
/** Workspaces whose code and types the package brings along. */
const within = ["contract", "clock"];

const root = resolve(import.meta.dirname, "..");
const sdk = join(root, "packages/sdk");

/**
 * Builds `@terrarium/sdk` into a folder as it is published: modules, types, package.json, and its documentation. Returns the sizes of the
 * modules with all that they import at once, gzipped, in bytes.
 */
export async function buildSdk(folder: string): Promise<Record<string, number>> {
  await rm(folder, { recursive: true, force: true });
  await build({
    configFile: join(sdk, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: false },
  });
  await writeTypes(folder);
  const {
    exports: _,
    private: __,
    devDependencies: ___,
    scripts: ____,
    dependencies,
    ...facts
  } = JSON.parse(await readFile(join(sdk, "package.json"), "utf8")) as Record<string, object>;
  const needed = Object.entries(dependencies ?? {}).filter(
    ([name]) => !name.startsWith("@terrarium/") && name !== "@genymotion/device-web-player",
  );
  const paths = Object.entries(entries).map(([path, name]) => [
    path,
    { types: `./types/sdk/src/${name}.d.ts`, default: `./${name}.js` },
  ]);
  const published = {
    ...facts,
    engines: { node: ">=20" },
    exports: Object.fromEntries(paths),
    dependencies: Object.fromEntries(needed),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(join(root, "docs/SDK.md"), join(folder, "README.md"));
  for (const file of ["LICENSE", "NOTICE"]) await copyFile(join(root, file), join(folder, file));
  const sizes = Object.values(entries).map(async (name) => [`${name}.js`, await sizeOf(join(folder, `${name}.js`))]);
  return Object.fromEntries(await Promise.all(sizes));
}

/** The declarations of the sdk and of what it brings along, which find each other by paths: nobody else has those workspaces. */
async function writeTypes(folder: string): Promise<void> {
  const types = join(folder, "types");
  await mkdir(types, { recursive: true });
  const config = join(types, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: join(root, "packages"),
    outDir: types,
    typeRoots: [join(root, "node_modules/@types")],
    // What is found in node_modules is not emitted.
    paths: Object.fromEntries(
      within.map((name) => [`@terrarium/${name}`, [join(root, `packages/${name}/src/index.ts`)]]),
    ),
  };
  const files = Object.values(entries).map((name) => join(sdk, `src/${name}.ts`));
  await writeFile(
    config,
    JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] }),
  );
  await promisify(execFile)(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config]);
  await rm(config);
  for (const name of await readdir(types, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const file = join(types, name);
    const text = await readFile(file, "utf8");
    const found = text
      .replaceAll(/"@terrarium\/([a-z-]+)"/g, (specifier, workspace: string) => {
        if (!within.includes(workspace)) throw new Error(`${name} needs the types of ${specifier}`);
        return `"${relative(dirname(file), join(types, workspace, "src/index.js"))}"`;
      })
      .replaceAll(/"(\.{1,2}\/[^"\n]*)\.ts"/g, '"$1.js"');
    await writeFile(file, found);
  }
}

/** A module with what it imports at once, gzipped. */
async function sizeOf(file: string, seen = new Set<string>()): Promise<number> {
  if (seen.has(file)) return 0;
  seen.add(file);
  const code = await readFile(file, "utf8");
  const used = [...code.matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]*)";/gm)].map(([, path = ""]) =>
    join(dirname(file), path),
  );
  let bytes = gzipSync(code, { level: 9 }).length;
  for (const each of used) bytes += await sizeOf(each, seen);
  return bytes;
}

if (process.argv[1] === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(sdk, "dist"));
  const sizes = await buildSdk(folder);
  console.log(`${folder}, gzipped:`);
  for (const [name, bytes] of Object.entries(sizes))
    console.log(`  ${(bytes / 1000).toFixed(1).padStart(6)} kB  ${name}`);
}
