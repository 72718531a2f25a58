import type { EmbedLink } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, FrameLocator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildSdk } from "../dev/build-sdk.ts";
import { launchBrowser, livePicture, openPage } from "./support/browser.ts";
import { startDevice, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";
import { stockNode } from "./support/stock-node.ts";

const run = promisify(execFile);
const root = new URL("..", import.meta.url).pathname;

const generator = await run("which", ["openapi-python-client"]).then(
  ({ stdout }) => stdout.trim(),
  () => undefined,
);

describe("the SDK as it is published", () => {
  let folder: string;
  let server: TestServer;
  let client: Client;
  let browser: Browser;
  let env: Record<string, string | undefined>;
  let sizes: Record<string, number>;
  let docs: string;

  /** One of the documentation's examples, as a file where the package is installed. */
  const example = async (name: string, change: (code: string) => string = (code) => code) => {
    const [, code] = new RegExp(`\`\`\`js\\n// ${name}\\n([^]*?)\`\`\``).exec(docs) ?? [];
    if (code === undefined) throw new Error(`the documentation has no ${name}`);
    await writeFile(join(folder, name), change(code));
    return join(folder, name);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "terrarium-sdk-"));
    sizes = await buildSdk(join(folder, "built"));
    const { stdout } = await run("npm", ["pack", "--json", "./built"], { cwd: folder });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    // As npm installs it; what it needs comes from here in place of a registry.
    const installed = join(folder, "node_modules/@terrarium/sdk");
    await mkdir(installed, { recursive: true });
    await run("tar", ["-xzf", filename, "-C", installed, "--strip-components=1"], { cwd: folder });
    const { dependencies } = JSON.parse(await readFile(join(installed, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies))
      await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    docs = await readFile(new URL("../docs/SDK.md", import.meta.url), "utf8");
    server = await preparedServer();
    browser = await launchBrowser();
    ({ client } = await server.signIn(demo.user));
    const { token } = await client.apiTokens.create({ body: { description: "SDK" } });
    env = { ...process.env, TERRARIUM_URL: server.url, TERRARIUM_API_TOKEN: token };
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("is small: what a page loads before its first picture", () => {
    for (const [name, bytes] of Object.entries(sizes)) console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB gzipped`);
    expect(sizes["display.js"]).toBeLessThan(32_000);
  });

  it("has types that a stranger's program is checked with", async () => {
    const types = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
    const file = await example("page.js", (code) => code.replaceAll(/document\.querySelector\(("#\w+")\)/g, "$&!"));
    await writeFile(file.replace(".js", ".ts"), await readFile(file));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const check = () => run(process.execPath, [tsc, ...types, "--lib", "es2024,dom", "page.ts"], { cwd: folder });
    await writeFile(
      join(folder, "page.ts"),
      (await readFile(file, "utf8")).replaceAll("querySelector(", "querySelector<HTMLElement>("),
    );
    await check();
    await writeFile(
      join(folder, "page.ts"),
      'import { openDisplay } from "@terrarium/sdk/display";\nopenDisplay(document.body, {});\n',
    );
    await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining("instance") });
  });

  it("runs the documented programs with the stock Node", async () => {
    const node = await stockNode();
    const listener = spawn(node, [await example("events.js")], { env, stdio: ["ignore", "pipe", "inherit"] });
    let heard = "";
    const listening = new Promise<void>((resolve) => {
      listener.stdout.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
        if (heard.startsWith("listening\n")) resolve();
      });
    });
    await listening;
    const { stdout } = await run(node, [await example("start.js")], { env });
    expect(stdout).toBe("from the SDK is ONLINE\n");
    if (listener.exitCode === null) await once(listener, "close");
    expect(heard).toMatch(/from the SDK: ONLINE\n[^]*from the SDK: DELETED\n$/);
  });

  it.skipIf(generator === undefined)(
    "has a sibling in Python, where `pip install openapi-python-client` was run: generated without a warning, and used",
    async () => {
      await mkdir(join(folder, "docs"));
      for (const file of ["openapi.json", "python-client.yaml"])
        await copyFile(join(root, "docs", file), join(folder, "docs", file));
      const [, command = ""] = /```sh\n(openapi-python-client [^]*?)```/.exec(docs) ?? [];
      const made = await run("bash", ["-c", command], { cwd: folder });
      expect(made.stdout + made.stderr).toBe("Generating terrarium-client\n");
      const [, program = ""] = /```python\n([^]*?)```/.exec(docs) ?? [];
      await writeFile(join(folder, "start.py"), program);
      // The one that the generator is installed for has what its clients need.
      const [, python = "python3"] = /^#!(.*)/.exec(await readFile(generator!, "utf8")) ?? [];
      const PYTHONPATH = join(folder, "terrarium-client");
      const { stdout } = await run(python, ["start.py"], { cwd: folder, env: { ...env, PYTHONPATH } });
      expect(stdout).toBe("from Python is ONLINE\n");
    },
  );

  it("shows a device in a page of another origin, as documented", async () => {
    const { uuid } = await startDevice(client, { name: "shown" });
    await untilState(client, uuid, "ONLINE");
    await example("page.js", (code) =>
      code
        .replace("https://devices.example.com", server.url)
        .replace('apiToken: "…"', `apiToken: "${env.TERRARIUM_API_TOKEN}"`)
        .replace('instance: "…"', `instance: "${uuid}"`)
        .replace("@terrarium/sdk/display", "/node_modules/@terrarium/sdk/display.js"),
    );
    const html = `<div id="device" style="width:400px;height:700px"></div><button id="home">Home</button><script type="module" src="/page.js"></script>`;
    const pages = createServer((request, response) => {
      const isScript = request.url?.endsWith(".js");
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      if (!isScript) response.end(html);
      else
        void readFile(join(folder, request.url ?? "")).then(
          (code) => void response.end(code),
          () => void response.writeHead(404).end(),
        );
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void pages.close());
    await once(pages, "listening");
    const { page, errors, close } = await openPage(
      browser,
      `http://127.0.0.1:${(pages.address() as AddressInfo).port}`,
    );
    onTestFinished(close);
    await page.goto("/");
    const video = await livePicture(page);
    expect((await video.boundingBox())?.height).toBeGreaterThan(500);
    await page.getByRole("button", { name: "Home" }).click();
    await video.click();
    expect(errors).toEqual([]);
  });

  it("shows a device in pages of others by a link, as documented, where the organization lists them", async () => {
    const { client: manager } = await server.signIn(demo.manager);
    const { results } = await manager.users.list({ query: {} });
    const portal = "https://portal.example.com";
    const { uuid } = await startDevice(client, { name: "embedded" });
    await untilState(client, uuid, "ONLINE");
    const embedding = await readFile(new URL("../docs/EMBEDDING.md", import.meta.url), "utf8");
    const [list = "", make = ""] = [...embedding.matchAll(/```sh\n([^]*?)```/g)].map(([, command = ""]) => command);
    const { url } = JSON.parse(
      (await run("bash", ["-c", make], { env: { ...env, INSTANCE: uuid } })).stdout,
    ) as EmbedLink & { url: string };
    const [element = "", frame = ""] = [...embedding.matchAll(/```html\n([^]*?)```/g)].map(([, html = ""]) =>
      html
        .replaceAll("https://devices.example.com/embed/KEY", url)
        .replaceAll("https://devices.example.com", server.url),
    );
    const { page, close } = await openPage(browser, portal);
    onTestFinished(close);
    // The service is on this machine, which pages of elsewhere may not look at.
    await page.context().grantPermissions(["local-network-access"], { origin: portal });
    await page.route(`${portal}/**`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><body>${route.request().url().endsWith("/frame") ? frame : element}`,
      }),
    );
    const refusal = () =>
      page.evaluate(
        async () =>
          new Promise<unknown>((resolve) => {
            const shown = document.querySelector("terrarium-device");
            shown?.addEventListener("status", (event) => {
              const { phase, refusal } = (event as CustomEvent<{ phase: string; refusal?: { code: string } }>).detail;
              if (phase === "ended") resolve(refusal?.code);
            });
            shown?.setAttribute("link", shown.getAttribute("link") ?? "");
          }),
      );
    const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/embed-links/open"));
    await page.goto("/element");
    await refused;
    const { token } = await manager.apiTokens.create({ body: { description: "origins", scope: "admin" } });
    const ORGANIZATION = results[0]?.organization?.uuid;
    await run("bash", ["-c", list], { env: { ...env, TERRARIUM_API_TOKEN: token, ORGANIZATION } });
    const isLive = (where: Page | FrameLocator) =>
      where
        .locator("video")
        .evaluate(({ videoWidth, currentTime }: HTMLVideoElement) => videoWidth > 0 && currentTime > 0);
    await page.goto("/element");
    await expect.poll(() => isLive(page)).toBe(true);
    await page.goto("/frame");
    await expect.poll(() => isLive(page.frameLocator("iframe"))).toBe(true);
    const [{ uuid: link } = { uuid: "" }] = await client.embedLinks.list({ params: { uuid } });
    await client.embedLinks.revoke({ params: { uuid, link } });
    await page.goto("/element");
    expect(await refusal()).toBe("EMBED_LINK_NOT_FOUND");
  });
});
