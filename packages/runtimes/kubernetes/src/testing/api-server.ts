import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { FakeApiServer } from "./fake-api-server.ts";

/** An API of a cluster. */
export interface ApiServer {
  config: KubeConfig;
  isReal: boolean;
  /** What kubelets answer it with. */
  tls: { key: string; cert: string } | undefined;
  /** Undefined of a real one. */
  fake: FakeApiServer | undefined;
  stop(): Promise<void>;
}

const START_TRIES = 600;
const TOKEN = "of-a-test";

/** A real one if `TERRARIUM_TEST_KUBERNETES` names the folder of its programs, and else one in memory. */
export async function startApiServer(): Promise<ApiServer> {
  const programs = process.env["TERRARIUM_TEST_KUBERNETES"];
  if (programs) return startRealApiServer(programs);
  const fake = new FakeApiServer();
  return { config: await fake.start(), isReal: false, tls: undefined, fake, stop: () => fake.stop() };
}

/** Starts `etcd` and `kube-apiserver`, without a controller or a scheduler: a stand-in node does what those do for Pods. */
async function startRealApiServer(programs: string): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-kubernetes-"));
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const at = (file: string) => join(folder, file);
  const [key, cert] = [at("key.pem"), at("cert.pem")];
  const made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert];
  const names = ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", ...made, ...names], { stdio: "ignore" });
  await writeFile(at("tokens.csv"), `${TOKEN},tester,tester,"system:masters"\n`);
  const log = await open(at("log"), "w");
  const run = (program: string, words: readonly string[]): ChildProcess =>
    spawn(join(programs, program), words, { stdio: ["ignore", log.fd, log.fd], env: { PATH: "/usr/bin:/bin" } });
  const etcd = run("etcd", [
    `--data-dir=${at("etcd")}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
  ]);
  const server = run("kube-apiserver", [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--tls-cert-file=${cert}`,
    `--tls-private-key-file=${key}`,
    `--token-auth-file=${at("tokens.csv")}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://test",
    `--service-account-key-file=${cert}`,
    `--service-account-signing-key-file=${key}`,
    "--service-cluster-ip-range=10.96.0.0/16",
    // Nobody makes the accounts that it would give to Pods.
    "--disable-admission-plugins=ServiceAccount",
    `--cert-dir=${at("certs")}`,
  ]);
  const stop = async () => {
    for (const child of [server, etcd]) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    await log.close();
    await rm(folder, { recursive: true, force: true });
  };
  const config = new KubeConfig();
  const cluster = { name: "real", server: `https://127.0.0.1:${port}`, caFile: cert, skipTLSVerify: false };
  config.loadFromClusterAndUser(cluster, { name: "tester", token: TOKEN });
  const core = config.makeApiClient(CoreV1Api);
  for (let tries = 0; server.exitCode === null && etcd.exitCode === null && tries < START_TRIES; tries++) {
    const isReady = await core.readNamespace({ name: "default" }).then(
      () => true,
      () => false,
    );
    if (isReady) {
      for (const name of ["devices", "elsewhere"]) await core.createNamespace({ body: { metadata: { name } } });
      const tls = { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
      return { config, isReal: true, tls, fake: undefined, stop };
    }
    await sleep(100);
  }
  const said = (await readFile(at("log"), "utf8")).trim().split("\n").slice(-3).join("\n");
  await stop();
  throw new Error(`kube-apiserver did not start: ${said}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
