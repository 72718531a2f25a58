import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "./support/free-port.ts";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const HOST = "devices.example.com";
const deploy = (file: string) => fileURLToPath(new URL(`../deploy/${file}`, import.meta.url));
const has = (...files: string[]) => files.every((file) => existsSync(file));

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-deploy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The file, with each text replaced. A text that it does not have is an error: the test would not test it. */
async function fileWith(path: string, changes: Record<string, string | number>): Promise<string> {
  let content = await readFile(path, "utf8");
  for (const [from, to] of Object.entries(changes)) {
    if (!content.includes(from)) throw new Error(`${path} has no ${from}`);
    content = content.replaceAll(from, String(to));
  }
  return content;
}

function runUntilTheEnd(program: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  return child;
}

/** A request to the proxy; the certificate is our own. */
function ask(port: number, path: string, headers: Record<string, string> = {}, body?: object) {
  const options = { host: "127.0.0.1", servername: HOST, port, path, rejectUnauthorized: false };
  const more = body ? { "content-type": "application/json", ...headers } : headers;
  const asked = request({ ...options, method: body ? "POST" : "GET", headers: { host: HOST, ...more } });
  return asked.end(body && JSON.stringify(body));
}

async function call<Reply>(port: number, path: string, headers?: Record<string, string>, body?: object) {
  const [reply] = (await once(ask(port, path, headers, body), "response")) as [IncomingMessage];
  return JSON.parse(await text(reply)) as Reply;
}

/** What a service behind TLS must pass on: the address that browsers use, in replies too, and WebSockets. */
async function expectProxied(port: number, server: TestServer): Promise<void> {
  // Not through the proxy: without TERRARIUM_PUBLIC_URL, people cannot sign in at a name. Links then follow the request's headers.
  const { email } = demo.user;
  // Behind a proxy, the demo accounts have random passwords, which the server prints.
  const [, password = ""] = new RegExp(`${email} +(\\S+)`).exec(server.output) ?? [];
  const { token } = await server.signIn({ email, password });
  const headers = { authorization: `Bearer ${token}` };
  const { results } = await eventually("the proxy answers", () =>
    call<{ results: { uuid: string }[] }>(port, "/cloud/v3/recipes?page_size=1", headers),
  );
  const start = `/cloud/v1/recipes/${results[0]?.uuid}/start-disposable`;
  const claim = { ...headers, "x-forwarded-host": "elsewhere.example.com", "x-forwarded-proto": "http" };
  const device = await call(port, start, claim, { instance_name: "proxied", rename_on_conflict: true });
  expect(JSON.stringify(device)).toContain(`"wss://${HOST}/`);

  const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const socket = { ...upgrade, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", origin: `https://${HOST}` };
  const path = `/cloud/socket.io/?EIO=4&transport=websocket&token=Bearer%20${token}`;
  const [reply, stream] = (await once(ask(port, path, socket), "upgrade")) as [IncomingMessage, Duplex];
  expect(reply.statusCode).toBe(101);
  stream.destroy();
}

describe("the files in deploy/", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await preparedServer({ TERRARIUM_TRUSTED_PROXIES: "127.0.0.1" });
  });
  afterAll(() => server?.stop());

  it.skipIf(!has("/usr/sbin/nginx", "/usr/bin/openssl"))("nginx proxies pages and WebSockets over TLS", async () => {
    const folder = await aFolder();
    const certificate = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
    execFileSync("openssl", ["req", ...certificate, ...files, "-subj", `/CN=${HOST}`], { stdio: "ignore" });
    const [port, plainPort] = [await freePort(), await freePort()];
    const site = await fileWith(deploy("nginx/terrarium.conf"), {
      "listen [::]:80;": "",
      "listen [::]:443 ssl http2;": "",
      "listen 80;": `listen 127.0.0.1:${plainPort};`,
      "listen 443 ": `listen 127.0.0.1:${port} `,
      "/etc/letsencrypt/live/devices.example.com": folder,
      "127.0.0.1:8080": new URL(server.url).host.replace("localhost", "127.0.0.1"),
    });
    await writeFile(join(folder, "site.conf"), site);
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const main = [
      process.getuid?.() === 0 ? "user root;" : "",
      `daemon off; pid ${folder}/pid; error_log stderr warn; events {}`,
      `http { access_log off; ${places.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}`,
      `include ${folder}/site.conf; }`,
    ];
    await writeFile(join(folder, "nginx.conf"), main.join("\n"));
    const args = ["-c", join(folder, "nginx.conf"), "-e", "stderr"];
    const tested = spawnSync("/usr/sbin/nginx", ["-t", ...args], { encoding: "utf8" });
    expect(tested.stderr).toContain("test is successful");
    expect(tested.stderr).not.toContain("[warn]");

    runUntilTheEnd("/usr/sbin/nginx", args);
    await expectProxied(port, server);
    const plain = await fetch(`http://127.0.0.1:${plainPort}/launchpad`, { redirect: "manual" });
    expect([plain.status, plain.headers.get("location")]).toEqual([301, `https://${HOST}/launchpad`]);
  });

  it.skipIf(!has("/usr/bin/caddy"))("Caddy proxies pages and WebSockets over TLS", async () => {
    const folder = await aFolder();
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const port = await freePort();
    const site = await fileWith(deploy("caddy/Caddyfile"), {
      // A certificate of its own authority instead of one from the internet.
      "devices.example.com {": `https://devices.example.com:${port} {\n\ttls internal`,
      "127.0.0.1:8080": new URL(server.url).host.replace("localhost", "127.0.0.1"),
    });
    const options =
      "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n}\n";
    await mkdir(join(folder, "config"));
    const file = join(folder, "config/Caddyfile");
    await writeFile(file, options + site);
    const original = ["validate", "--adapter", "caddyfile", "--config", deploy("caddy/Caddyfile")];
    const tested = spawnSync("caddy", original, { encoding: "utf8", env: { ...process.env, ...env } });
    expect([tested.status, tested.status === 0 ? "" : tested.stderr]).toEqual([0, ""]);

    runUntilTheEnd("caddy", ["run", "--adapter", "caddyfile", "--config", file], env);
    await expectProxied(port, server);
  });

  it.skipIf(!has("/usr/bin/systemd-analyze"))("the systemd unit is valid, and exposes little", async () => {
    const folder = await aFolder();
    const unit = await fileWith(deploy("systemd/terrarium.service"), {
      "/opt/terrarium": dirname(dirname(deploy("x"))),
      "User=terrarium": "User=daemon",
      "Group=terrarium": "Group=daemon",
    });
    const file = join(folder, "terrarium.service");
    await writeFile(file, unit);
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
    // In tenths; 100 would be a service without any of it.
    const secure = ["security", "--offline=true", "--threshold=20", file];
    const { status, stdout } = spawnSync("systemd-analyze", secure, { encoding: "utf8" });
    expect([status, status === 0 ? "" : stdout]).toEqual([0, ""]);
  });
});
