import { limits, Name, type Scenario, Scenario as ScenarioSchema } from "@terrarium/contract";
import { type FileProblem, readScenario, readYaml } from "@terrarium/sdk/scenario-file";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { Failure } from "./failures.ts";
import { minutes } from "./given.ts";

const namespaces = ["system", "secure", "global"] as const;
const SettingName = z.string().regex(/^[\w.:-]{1,200}$/, "Use the name of a setting");
const SettingValue = z.union(
  [
    z
      .string()
      .max(1000)
      .regex(/^[^\0\r\n]+$/),
    z.number(),
    z.boolean(),
  ],
  {
    error: "Use text, a number, true or false",
  },
);

const Settings = z.strictObject({
  orientation: z
    .enum(["portrait", "landscape"])
    .optional()
    .meta({ description: "Held so, for devices that are upright by nature; without it the device turns by itself" }),
  dark: z.boolean().optional().meta({ description: "The dark theme; Android 10 and newer" }),
  density: z.int().min(72).max(640).optional().meta({ description: "Dots per inch, in place of those of the profile" }),
  font_scale: z.number().min(0.5).max(3).optional(),
  ...(Object.fromEntries(
    namespaces.map((name) => [
      name,
      z
        .record(SettingName, SettingValue)
        .optional()
        .meta({ description: `As \`settings put ${name}\` sets them; true is 1, false 0` }),
    ]),
  ) as Record<(typeof namespaces)[number], z.ZodOptional<z.ZodRecord<typeof SettingName, typeof SettingValue>>>),
});

const NO_TIME = 'Use minutes, or a time such as "90m" or "2h"';
const RunFor = z.union([z.int().min(1).max(limits.runMinutesMax), z.string().regex(/^\d{1,6}[mh]$/, NO_TIME)], {
  error: NO_TIME,
});

/** A device as a file says it. Files that it names are found from where it is. */
const DeviceFile = z
  .strictObject({
    $schema: z.string().max(limits.routeLength).optional(),
    name: Name.meta({ description: "Of the device: one that runs by this name is the one that is meant" }),
    recipe: Name.optional().meta({ description: "The name or uuid of a recipe; or give a profile and an image" }),
    profile: Name.optional().meta({ description: "The name or uuid of a hardware profile" }),
    image: Name.optional().meta({ description: "The name or uuid of an OS image" }),
    run_for: RunFor.optional().meta({ description: "Stops the device that it starts after so long" }),
    apps: z.array(z.string().min(1).max(4096)).max(50).default([]).meta({ description: "APK files to install" }),
    settings: Settings.default({}),
    scenario: z.string().min(1).max(4096).optional().meta({ description: "The file of a scenario to run" }),
  })
  .superRefine(({ recipe, profile, image }, { addIssue }) => {
    const isPair = profile !== undefined && image !== undefined;
    const isHalf = !isPair && (profile !== undefined || image !== undefined);
    if (isHalf || isPair === (recipe !== undefined))
      addIssue({ code: "custom", message: "Give a recipe, or a profile and an image", path: ["recipe"] });
  });
export type DeviceSettings = z.output<typeof Settings>;

/** What is wanted, with what its files hold. */
export interface WantedDevice extends Omit<z.output<typeof DeviceFile>, "scenario" | "run_for"> {
  runMinutes: number | undefined;
  scenario: Scenario | undefined;
}

export const deviceFileSchema = (): object => z.toJSONSchema(DeviceFile, { io: "input" });

/** Reads a file and those that it names. Throws a Failure that says what is wrong on which lines. */
export async function readDeviceFile(file: string): Promise<WantedDevice> {
  const read = readYaml(await textOf(file), DeviceFile);
  if (read.problems) throw failureOf(file, "is no device", read.problems);
  const { run_for, scenario, apps, ...device } = DeviceFile.parse(read.given);
  const fromHere = (path: string) => resolve(dirname(file), path);
  return {
    ...device,
    apps: apps.map(fromHere),
    runMinutes: run_for === undefined ? undefined : minutes(String(run_for)),
    scenario: scenario === undefined ? undefined : ScenarioSchema.parse(await readScenarioFile(fromHere(scenario))),
  };
}

/** The scenario of a file, as it is written. Throws a Failure that says what is wrong on which lines. */
export async function readScenarioFile(file: string) {
  const read = readScenario(await textOf(file));
  if (read.problems) throw failureOf(file, "is no scenario", read.problems);
  return read.scenario;
}

const textOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: Error) => {
    throw new Failure("USAGE_ERROR", `${file} cannot be read.`, error.message);
  });

const failureOf = (file: string, what: string, problems: readonly FileProblem[]) =>
  new Failure(
    "USAGE_ERROR",
    `${file} ${what}.`,
    problems.map(({ line, message }) => `${file}:${line} ${message}`).join("\n"),
  );
