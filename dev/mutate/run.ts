// Tries every mutant of the folders or files it is given, with the tests of those folders. The fault is put in while Vite reads the file, so the files themselves stay as
// they are, whatever happens.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Plugin, TestProjectInlineConfiguration } from "vitest/config";
import { createVitest, type TestSpecification, type Vitest } from "vitest/node";
import config from "../../vitest.config.ts";
import { root } from "../commands/root.mjs";
import { type Mutant, mutantsOf, withMutant } from "./mutants.ts";

/** For one mutant; whatever takes longer hangs, and that is noticed too. */
const TIMEOUT_MS = 120_000;
/** A fault often makes a test wait for what never comes. */
const TEST_TIMEOUT_MS = 10_000;
/** What has no behaviour of its own, or only serves tests. */
const LEFT_OUT = /\.(test|tables|migrations|setup|testing|fixture|d)\.tsx?$|\/testing\//;

let fault: { file: string; mutant: Mutant } | undefined;

const putIn: Plugin = {
  name: "mutate",
  enforce: "pre",
  transform(code, id) {
    return fault && id.split("?")[0] === fault.file ? withMutant(code, fault.mutant) : undefined;
  },
};

type Outcome = "killed" | "SURVIVED" | "timed out";

/** The tests of the folders, run again and again in one Vitest, so that what is started before all tests is started once. */
class Tests {
  readonly #folders: readonly string[];
  #vitest: Vitest | undefined;
  #specifications: TestSpecification[] = [];

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async run(file?: string): Promise<Outcome> {
    const vitest = (this.#vitest ??= await this.#open());
    if (file) vitest.invalidateFile(file);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"timed out">((resolve) => {
      timer = setTimeout(() => resolve("timed out"), TIMEOUT_MS);
    });
    const outcome = await Promise.race([this.#outcome(vitest), late]);
    clearTimeout(timer);
    if (outcome === "timed out") await this.close();
    // The next run reads the file as it is.
    else if (file) vitest.invalidateFile(file);
    return outcome;
  }

  async close(): Promise<void> {
    await this.#vitest?.close();
    this.#vitest = undefined;
  }

  async #outcome(vitest: Vitest): Promise<Outcome> {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(this.#specifications);
    const isKilled = unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
    return isKilled ? "killed" : "SURVIVED";
  }

  async #open(): Promise<Vitest> {
    const projects = (config.test?.projects ?? []) as TestProjectInlineConfiguration[];
    const vitest: Vitest = await createVitest(
      "test",
      {
        root,
        config: false,
        watch: false,
        reporters: [{ onTestCaseResult: (test) => void (test.ok() || vitest.cancelCurrentRun("test-failure")) }],
      },
      {
        test: {
          ...config.test,
          projects: projects
            .filter(({ test }) => test?.name !== "peer")
            .map((project) => ({
              ...project,
              plugins: [...(project.plugins ?? []), putIn],
              // A module with a fault must not be kept for later runs.
              test: { ...project.test, testTimeout: TEST_TIMEOUT_MS, fsModuleCache: false },
            })),
        },
      },
    );
    this.#specifications = await vitest.globTestSpecifications(this.#folders.map((folder) => `${folder}/`));
    if (this.#specifications.length === 0) throw new Error(`There are no tests in ${this.#folders.join(", ")}.`);
    return vitest;
  }
}

const places = process.argv.slice(2).map((place) => relative(root, join(root, place)));
if (places.length === 0) throw new Error("Which folder? npm run mutate -- apps/server/src/features/api-tokens");
const files = places
  .flatMap((place) => (/\.tsx?$/.test(place) ? place : globSync(`${place}/**/*.{ts,tsx}`, { cwd: root })))
  .filter((file) => !LEFT_OUT.test(file))
  .toSorted();
const folders = places.map((place) => (/\.tsx?$/.test(place) ? dirname(place) : place));
const tests = new Tests(folders);
const counts = { killed: 0, SURVIVED: 0, "timed out": 0 };
try {
  if ((await tests.run()) !== "SURVIVED") throw new Error("The tests fail without a fault: mend that first.");
  for (const name of files) {
    const file = join(root, name);
    for (const mutant of mutantsOf(file, readFileSync(file, "utf8"))) {
      fault = { file, mutant };
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
  `${killed + timedOut + survived} mutants: ${killed + timedOut} killed (${timedOut} by time), ${survived} survived`,
);
process.exit();
