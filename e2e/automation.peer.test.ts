import type { Client } from "@terrarium/sdk";
import { makeApk } from "@terrarium/simulator/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { stockAdb } from "./support/adb.ts";
import { launchBrowser, livePicture } from "./support/browser.ts";
import { examplePage } from "./support/example-page.ts";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const RECIPE = "Phone 6.1 in, Android 15";
/** Of what is said to run in CI. */
const SHARD = "connectedCheck on Fern 61\n";

describe("tools of others", () => {
  let server: TestServer;
  let client: Client;
  let adb: Awaited<ReturnType<typeof stockAdb>>;
  let folder: string;
  let docs: string;
  let env: Record<string, string | undefined>;

  const inFolder = (name: string) => join(folder, name);
  const blocks = (language: string) =>
    [...docs.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g"))].map(([, text = ""]) => text);
  const devices = async () => (await client.instances.list({ query: {} })).count;

  /** What a command of a shell says in the folder, which ends well. */
  const outputOf = async (command: string, more: Record<string, string> = {}) => {
    const child = spawn("bash", ["-c", command], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    return code === 0 ? output : `${output}exit code ${code}`;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "terrarium-automation-"));
    await build({
      configFile: root("apps/cli/vite.config.ts"),
      logLevel: "error",
      build: { outDir: folder, emptyOutDir: false },
    });
    server = await preparedServer();
    adb = await stockAdb();
    docs = await readFile(root("docs/AUTOMATION.md"), "utf8");
    ({ client } = await server.signIn(demo.user));
    const { token } = await client.apiTokens.create({ body: { description: "ci" } });
    env = {
      ...adb.env,
      PATH: `${folder}:${dirname(process.execPath)}:${process.env["PATH"]}`,
      TERRARIUM_URL: server.url,
      TERRARIUM_API_TOKEN: token,
      TERRARIUM_CONFIG_HOME: folder,
    };
    await copyFile(inFolder("main.mjs"), inFolder("terrarium.mjs"));
    await symlink(root("node_modules"), inFolder("node_modules"));
    await writeFile(inFolder("notes.txt"), "notes");
    // In place of a project, which takes no device that is simulated.
    const gradle = '#!/bin/sh\necho "$1 on $(adb shell getprop ro.product.model 2>/dev/null)"\n';
    await writeFile(inFolder("gradlew"), gradle, { mode: 0o755 });
    await writeFile(inFolder("gh"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    await writeFile(
      inFolder("app.apk"),
      makeApk({ packageName: "test.app", versionCode: 1, minSdk: 21, label: "App" }),
    );
  });

  afterAll(async () => {
    await adb?.stop();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("are the programs of the documentation: adbkit, Playwright and @yume-chan/adb", async () => {
    const programs = blocks("js").filter((text) => text.startsWith("import "));
    await Promise.all(programs.map((text, index) => writeFile(inFolder(`${index}.mjs`), text)));
    const run = programs.map((_, index) => `node ${index}.mjs`).join(" && ");
    const whole = `TOKEN=$TERRARIUM_API_TOKEN node terrarium.mjs run --recipe "${RECIPE}" -- sh -c '${run}'`;
    expect(await outputOf(whole)).toBe("notes\nFern 61\nFern 61\n");
    expect((await readFile(inFolder("screen.png"))).subarray(1, 4).toString()).toBe("PNG");
  });

  it("run in CI, by the lines of GitHub's action, GitLab's job and Jenkins' pipeline, and leave no device", async () => {
    const action = parse(await readFile(root("deploy/ci/action.yml"), "utf8")) as Action;
    const [step] = action.runs.steps;
    const [usage, gitlab, previews] = blocks("yaml").map((text) => parse(text) as Usage & GitLab & Previews);
    const [jenkins] = /(?<=sh ').*(?=')/.exec(blocks("groovy")[0] ?? "") ?? [];
    const given = {
      ...Object.fromEntries(Object.entries(action.inputs).map(([name, { default: value }]) => [name, value])),
      ...usage?.steps.at(-1)?.with,
      url: server.url,
      token: env.TERRARIUM_API_TOKEN,
    } as Record<string, string>;
    const filled = Object.entries(step?.env ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, input: string) => given[input] ?? "undefined"),
    ]);
    const said = [
      await outputOf(step?.run ?? "", Object.fromEntries(filled) as Record<string, string>),
      await outputOf(gitlab?.["device-tests"].script.join(" && ") ?? ""),
      await outputOf(jenkins ?? ""),
    ];
    expect(said).toEqual([SHARD, SHARD, SHARD]);
    // What is given is no part of the script.
    const hostile = { ...Object.fromEntries(filled), RECIPE: '"; echo done; "' } as Record<string, string>;
    expect(await outputOf(`${step?.run} 2>/dev/null`, hostile)).toBe("exit code 2");
    await eventually("no device is left", async () => (await devices()) === 0);

    const [, start, stop] = previews!.jobs.preview.steps.map(({ run = "" }) => run.replaceAll(/\$\{\{.*?\}\}/g, "12"));
    const named = { NAME: "PR 12" };
    const links: string[] = [];
    // The second is of another push.
    for (const _ of [1, 2]) links.push((await outputOf(start!, named)).trim().split(" ").at(-1)!);
    const answers = await Promise.all(links.map(async (link) => (await fetch(link)).status));
    expect([links[1], answers, await devices()]).toEqual([expect.stringContaining("/embed/"), [404, 200], 1]);
    await outputOf(stop!, named);
    await eventually("no device is left", async () => (await devices()) === 0);
  });

  it("are the example page of the web player, on another origin", async () => {
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await examplePage(browser, server.url);
    await page.locator("#apiToken").fill(env.TERRARIUM_API_TOKEN ?? "");
    await page.locator("#apiToken").blur();
    await page.locator("#listRecipes").selectOption({ label: RECIPE });
    await page.locator("#start").click();
    await livePicture(page);
    await page.locator("#stop").click();
    await eventually("the device has stopped", async () => (await devices()) === 0);
  });
});

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { env: Record<string, string>; run: string }[] };
}
interface Usage {
  steps: { with: Record<string, string> }[];
}
interface GitLab {
  "device-tests": { script: string[] };
}
interface Previews {
  jobs: { preview: { steps: { run?: string }[] } };
}
