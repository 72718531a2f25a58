import {
  activeStates,
  type HardwareProfile,
  type OsImage,
  type Recipe,
  type Scenario,
  type ScenarioRun,
  stepsOf,
} from "@terrarium/contract";
import { allOf, type Client } from "@terrarium/sdk";
import type { Command } from "commander";
import { basename } from "node:path";
import type { Cli } from "../cli.ts";
import { deviceFileSchema, readDeviceFile, type WantedDevice } from "../device-file.ts";
import { allSettings, applySettings } from "../device-settings.ts";
import { Failure } from "../failures.ts";
import { findRecipe, isUuid } from "../given.ts";
import { checkApk, installApk, missingApps } from "../install-apk.ts";
import { START_SECONDS, untilState } from "../state.ts";
import { withAdb } from "../tunnel.ts";

interface ApplyOptions {
  file?: string;
  dryRun: boolean;
  schema: boolean;
}

export function addApply(program: Command, cli: Cli): void {
  program
    .command("apply")
    .description(
      "have the device that a file says: start it, install apps, change settings, run a scenario, as far as needed",
    )
    .option("-f, --file <file>", "of the device, in YAML or JSON")
    .option("--dry-run", "only say what would be done", false)
    .option("--schema", "print the JSON schema of the files, for editors", false)
    .action(async ({ file, dryRun, schema }: ApplyOptions) => {
      if (schema) return cli.print.line(JSON.stringify(deviceFileSchema(), undefined, 2));
      if (file === undefined) throw new Failure("USAGE_ERROR", "Say which file: --file device.yaml.");
      const wanted = await readDeviceFile(file);
      for (const app of wanted.apps) await checkApk(app);
      const { client } = await cli.connect();
      const changes: string[] = [];
      const change = (what: string) => {
        changes.push(what);
        if (!dryRun) cli.print.note(what);
      };
      const uuid = await (dryRun ? plan : have)(cli, client, wanted, change);
      const facts = { instance: { uuid: uuid ?? null, name: wanted.name }, changes, dry_run: dryRun };
      if (!dryRun) cli.print.say(uuid ?? "", facts);
      else cli.print.say(changes.length > 0 ? changes.join("\n") : "Nothing is to be done.", facts);
    });
}

/** Called with each change, before it is made. */
type Change = (what: string) => void;
type Step = (cli: Cli, client: Client, wanted: WantedDevice, change: Change) => Promise<string | undefined>;

/** Makes all of it so; resolves with the uuid of the device. */
const have: Step = async (cli, client, wanted, change) => {
  const { terminal, print } = cli;
  const { recipe, make } = await recipeOf(client, wanted);
  let device = await runningOf(client, wanted, recipe);
  if (!device) {
    if (!recipe) change(sayMake(wanted));
    const { uuid } = recipe ?? (await make());
    change(sayStart(wanted, recipe));
    const timeouts = { inactivity: 0, ...(wanted.runMinutes !== undefined && { global: wanted.runMinutes }) };
    device = await client.recipes.start({ params: { uuid }, body: { instance_name: wanted.name, timeouts } });
  }
  const { uuid } = device;
  await untilState("ONLINE", { client, uuid, terminal, print, seconds: START_SECONDS });
  const { signal } = terminal;
  const missing = await withAdb({ client, uuid, terminal }, (link) => missingApps(link, wanted.apps, signal));
  for (const app of missing) {
    change(sayInstall(app));
    await installApk(client, uuid, app, signal);
  }
  await withAdb({ client, uuid, terminal }, async (link) => {
    for (const text of await applySettings(link, wanted.settings, { signal, isDry: false })) change(saySet(text));
  });
  if (wanted.scenario && !(await hasRun(client, uuid, wanted.scenario))) {
    change(sayRun(wanted.scenario));
    await client.scenarios.start({ params: { uuid }, body: { scenario: wanted.scenario } });
  }
  return uuid;
};

/** Only says what `have` would do; resolves with the uuid of the device, if it runs. */
const plan: Step = async ({ terminal }, client, wanted, change) => {
  const { signal } = terminal;
  const { recipe } = await recipeOf(client, wanted);
  const device = await runningOf(client, wanted, recipe);
  const { apps, settings, scenario } = wanted;
  if (device?.state === "ONLINE") {
    const { uuid } = device;
    await withAdb({ client, uuid, terminal }, async (link) => {
      for (const app of await missingApps(link, apps, signal)) change(sayInstall(app));
      for (const text of await applySettings(link, settings, { signal, isDry: true })) change(saySet(text));
    });
    if (scenario && !(await hasRun(client, uuid, scenario))) change(sayRun(scenario));
    return uuid;
  }
  if (!device) {
    if (!recipe) change(sayMake(wanted));
    change(sayStart(wanted, recipe));
  }
  for (const app of apps) change(sayInstall(app));
  for (const text of allSettings(settings)) change(saySet(text));
  if (scenario) change(sayRun(scenario));
  return device?.uuid;
};

const sayMake = ({ name, profile, image }: WantedDevice) => `Make the recipe "${name}" of "${profile}" and "${image}".`;
const sayStart = ({ name }: WantedDevice, recipe: { name: string } | undefined) =>
  `Start the device "${name}" from "${recipe?.name ?? name}".`;
const sayInstall = (app: string) => `Install ${basename(app)}.`;
const saySet = (text: string) => `Set ${text}.`;
const sayRun = ({ name }: Scenario) => `Run the scenario${name === undefined ? "" : ` "${name}"`}.`;

/** The recipe of a file; if it has a profile and an image that no recipe is of, how to make one. */
async function recipeOf(client: Client, { name, recipe, profile, image }: WantedDevice) {
  if (recipe !== undefined) return { recipe: await findRecipe(client, recipe), make: never };
  const [hardware, os] = [await profileOf(client, profile ?? ""), await imageOf(client, image ?? "")];
  const all = await allOf((page) => client.recipes.list({ query: page }));
  const same = all.filter(
    ({ hardware_profile, os_image }) => hardware_profile?.uuid === hardware.uuid && os_image?.uuid === os.uuid,
  );
  const body = { name, hardware_profile_uuid: hardware.uuid, os_image_uuid: os.uuid };
  return { recipe: same.find((one) => one.name === name) ?? same[0], make: () => client.recipes.create({ body }) };
}

const never = (): Promise<Recipe> => Promise.reject(new Error("there is a recipe"));

async function profileOf(client: Client, given: string): Promise<HardwareProfile> {
  if (isUuid(given)) return client.hardwareProfiles.get({ params: { uuid: given } });
  return called(
    given,
    "hardware profile",
    await allOf((page) => client.hardwareProfiles.list({ query: { ...page, search: given } })),
  );
}

async function imageOf(client: Client, given: string): Promise<OsImage> {
  if (isUuid(given)) return client.osImages.get({ params: { uuid: given } });
  const found = await allOf((page) => client.osImages.list({ query: { ...page, search: given } }));
  // Official ones are there once for each architecture.
  const usual = found.filter(({ arch, is_official }) => !is_official || arch === "x86_64");
  return called(given, "OS image", usual.length > 0 ? usual : found);
}

/** The only one of a name. Throws a Failure that says which there are. */
function called<One extends { uuid: string; name: string }>(given: string, what: string, found: readonly One[]): One {
  const [one, ...others] = found.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  if (one && others.length === 0) return one;
  const near = (one ? [one, ...others] : found).slice(0, 5).map(({ uuid, name }) => `${uuid} ${name}`);
  throw new Failure("USAGE_ERROR", `${one ? "Several are" : `No ${what} is`} called "${given}".`, near.join("; "));
}

/** The person's device of that name. Throws a Failure if it is one of another recipe, or one that is ending. */
async function runningOf(client: Client, { name }: WantedDevice, recipe: { uuid: string } | undefined) {
  const all = await allOf((page) => client.instances.list({ query: page }));
  const device = all.find((one) => one.name === name && activeStates.includes(one.state));
  if (device && device.recipe?.uuid !== recipe?.uuid)
    throw new Failure(
      "INSTANCE_ERROR",
      `"${name}" runs already, from the recipe "${device.recipe?.name ?? "-"}". Stop it first: terrarium instances stop ${device.uuid}`,
    );
  return device;
}

/** Whether the last scenario of a device is this one, as far as a run shows: by its name, and its steps and their times. */
async function hasRun(client: Client, uuid: string, scenario: Scenario): Promise<boolean> {
  const { run } = await client.scenarios.get({ params: { uuid } });
  if (!run || run.status === "stopped") return false;
  const summary = ({ name, rounds, steps }: Pick<ScenarioRun, "name" | "rounds" | "steps">) =>
    JSON.stringify([name, rounds, steps.map((step) => [step.name, step.kinds, step.at_ms, step.duration_ms])]);
  const { name = null, repeat: rounds = 1 } = scenario;
  return summary(run) === summary({ name, rounds, steps: stepsOf(scenario) });
}
