// Runs tests with each mutant of the given folders or files: those beside them, and those of the folders after --tests. A Vite plugin
// applies the mutant while loading, so no file is ever changed. A file may be limited to some of its lines: FILE:FROM-TO.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import type { Plugin, TestProjectInlineConfiguration } from "vitest/config";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import config from "../../vitest.config.ts";
import { root } from "../commands/root.mjs";
import { type Mutant, mutantsOf, withMutant } from "./mutants.ts";

/** A mutant's run that takes so much longer than that of the unchanged code hangs, which counts as detected. */
const TIMEOUT_FACTOR = 2;
const MIN_TIMEOUT_MS = 120_000;
/** Files without behaviour, and test helpers. */
const EXCLUDED = /\.(test|tables|migrations|setup|testing|fixture|d)\.tsx?$|\/testing\//;

let current: { file: string; mutant: Mutant } | undefined;

const applyMutant: Plugin = {
  name: "mutate",
  enforce: "pre",
  transform(code, id) {
    return current && id.split("?")[0] === current.file ? withMutant(code, current.mutant) : undefined;
  },
};

type Outcome = "killed" | "SURVIVED" | "timed out";

/** Runs the tests of the folders repeatedly in one Vitest instance, so that global setups run once. */
class Tests {
  readonly #folders: readonly string[];
  #vitest: Vitest | undefined;
  #specifications: TestSpecification[] = [];
  #timeoutMs = MIN_TIMEOUT_MS * TIMEOUT_FACTOR;
  /** The first test file with a failure. */
  #failed: string | undefined;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Runs them as the code is, which says how long they take. */
  async try(): Promise<Outcome> {
    const began = performance.now();
    const outcome = await this.run();
    this.#timeoutMs = Math.max(MIN_TIMEOUT_MS, (performance.now() - began) * TIMEOUT_FACTOR);
    return outcome;
  }

  /** Puts the test files first that are named after the file: they probably detect its mutants. */
  startWith(file: string): void {
    const name = basename(file).replace(/\.tsx?$/, ".");
    this.#putFirst(({ moduleId }) => basename(moduleId).startsWith(name));
  }

  async run(file?: string): Promise<Outcome> {
    const vitest = (this.#vitest ??= await this.#open());
    if (file) vitest.invalidateFile(file);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<"timed out">((resolve) => {
      timer = setTimeout(() => resolve("timed out"), this.#timeoutMs);
    });
    const outcome = await Promise.race([this.#outcome(vitest), timeout]);
    clearTimeout(timer);
    if (outcome === "timed out") await this.close();
    // The next run must load the original.
    else if (file) vitest.invalidateFile(file);
    return outcome;
  }

  async close(): Promise<void> {
    await this.#vitest?.close();
    this.#vitest = undefined;
  }

  /** Most mutants are killed by the same test file as the one before, so that it runs first, alone. */
  async #outcome(vitest: Vitest): Promise<Outcome> {
    const [likely, others] = [this.#specifications.slice(0, 1), this.#specifications.slice(1)];
    if (await this.#doFail(vitest, likely)) return "killed";
    return others.length > 0 && (await this.#doFail(vitest, others)) ? "killed" : "SURVIVED";
  }

  async #doFail(vitest: Vitest, specifications: TestSpecification[]): Promise<boolean> {
    this.#failed = undefined;
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const failed = this.#failed ?? testModules.find((module) => !module.ok())?.moduleId;
    if (failed) this.#putFirst(({ moduleId }) => moduleId === failed);
    return failed !== undefined || unhandledErrors.length > 0;
  }

  #putFirst(isFirst: (specification: TestSpecification) => boolean): void {
    this.#specifications = this.#specifications.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  }

  async #open(): Promise<Vitest> {
    const projects = (config.test?.projects ?? []) as TestProjectInlineConfiguration[];
    const vitest: Vitest = await createVitest(
      "test",
      {
        root,
        config: false,
        watch: false,
        reporters: [
          {
            // A module whose run was cancelled may count as passed.
            onTestCaseResult: (test) => {
              if (test.ok()) return;
              this.#failed ??= test.module.moduleId;
              void vitest.cancelCurrentRun("test-failure");
            },
          },
        ],
      },
      {
        test: {
          ...config.test,
          projects: projects
            .filter(({ test }) => test?.name !== "peer")
            .map((project) => ({
              ...project,
              plugins: [...(project.plugins ?? []), applyMutant],
              // A mutant must not be cached for later runs.
              test: { ...project.test, fsModuleCache: false },
            })),
        },
      },
    );
    this.#specifications = await vitest.globTestSpecifications(this.#folders.map((folder) => `${folder}/`));
    if (this.#specifications.length === 0) throw new Error(`No tests found in ${this.#folders.join(", ")}.`);
    return vitest;
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: "string", multiple: true, default: [] } },
});
const places = positionals.map((place) => relative(root, join(root, place)));
if (places.length === 0) throw new Error("Name a folder: npm run mutate -- apps/server/src/features/api-tokens");
const files = places
  .flatMap((place) => {
    const [, file, from = 0, to = Infinity] = /^(.+\.tsx?)(?::(\d+)-(\d+))?$/.exec(place) ?? [];
    if (file) return { name: file, from: Number(from), to: Number(to) };
    return globSync(`${place}/**/*.{ts,tsx}`, { cwd: root }).map((name) => ({ name, from: 0, to: Infinity }));
  })
  .filter(({ name }) => !EXCLUDED.test(name))
  .toSorted((a, b) => a.name.localeCompare(b.name));
const folders = places.map((place) => (/\.tsx?(:|$)/.test(place) ? dirname(place) : place));
const tests = new Tests([...new Set([...folders, ...values.tests])]);
const counts = { killed: 0, SURVIVED: 0, "timed out": 0 };
try {
  if ((await tests.try()) !== "SURVIVED") throw new Error("The tests fail without any mutant. Fix them first.");
  for (const { name, from, to } of files) {
    const file = join(root, name);
    tests.startWith(file);
    for (const mutant of mutantsOf(file, readFileSync(file, "utf8"))) {
      if (mutant.line < from || mutant.line > to) continue;
      current = { file, mutant };
      let outcome = await tests.run(file);
      if (outcome === "SURVIVED") outcome = await tests.run(file);
      counts[outcome]++;
      console.log(`${outcome.padEnd(9)} ${name}:${mutant.line} ${mutant.what}`);
    }
  }
} finally {
  await tests.close();
}
const { killed, SURVIVED: survived, "timed out": timedOut } = counts;
console.log(
  `${killed + timedOut + survived} mutants: ${killed + timedOut} killed (${timedOut} by timeout), ${survived} survived`,
);
process.exit();
