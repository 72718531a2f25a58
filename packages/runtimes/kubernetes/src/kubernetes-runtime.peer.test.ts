import { rmSync } from "node:fs";
import { connect } from "node:net";
import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { fetchAdbd } from "@terrarium/adb/testing";
import { aborted, systemClock } from "@terrarium/clock";
import type { AdbAddress, DeviceRuntime } from "@terrarium/runtime";
import { aMachineSpec, describeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import { CoreV1Api, type KubeConfig, NetworkingV1Api } from "@kubernetes/client-node";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Cluster } from "./cluster.ts";
import { kubernetesRuntime, type KubernetesRuntimeOptions } from "./kubernetes-runtime.ts";
import { output } from "./exec.ts";
import { DEVICE, nameOf, podOf } from "./pod.ts";
import { type ApiServer, startApiServer } from "./testing/api-server.ts";
import { referenceImage } from "./testing/reference-images.ts";
import { StandInNode } from "./testing/stand-in-node.ts";
import { StandInStorage } from "./testing/stand-in-storage.ts";

const none = new AbortController().signal;
const IMAGE = "terrarium/reference:14.0";
/** Runs, and no adb answers in it. */
const SILENT = "terrarium/silent:14.0";
const INSTALLATION = "terrarium";

interface Peers {
  api: ApiServer;
  node: StandInNode;
  storage: StandInStorage;
  image: string;
}

/** A cluster that has the image, or why there is none. */
async function tryToStart(): Promise<Peers | string> {
  if (process.getuid?.() !== 0) return "containers need root";
  const adbd = await fetchAdbd();
  if ("missing" in adbd) return adbd.missing;
  try {
    const image = await referenceImage(adbd);
    const api = await startApiServer();
    const storage = new StandInStorage(api.config);
    if (api.isReal) await storage.install();
    const node = new StandInNode({
      config: api.config,
      name: "node",
      slots: 3,
      images: {
        [IMAGE]: { root: image, words: [] },
        [SILENT]: { root: image, words: ["silent"] },
        busybox: { root: image, words: [] },
      },
      diskOf: (claim) => storage.diskOf(claim),
      tls: api.tls,
    });
    await node.start();
    return { api, node, storage, image };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const peers = await tryToStart();
if (typeof peers === "string") console.warn(`skipped: Pods with a genuine adbd, since ${peers}`);
else if (!peers.api.isReal)
  console.warn(
    "skipped: a real kube-apiserver, as TERRARIUM_TEST_KUBERNETES names no folder with it; a fake one is used",
  );

describe.skipIf(typeof peers === "string")("Pods with a genuine adbd", () => {
  const { api, node, storage, image } = peers as Peers;
  const { config } = api;
  const layers = new MemoryLayers();
  let opened: DeviceRuntime[] = [];
  const logged: string[] = [];

  afterAll(async () => {
    await node.stop();
    await storage.remove();
    await api.stop();
    rmSync(image, { recursive: true, force: true });
  });
  afterEach(async () => {
    node.isHalted = false;
    node.slots = 3;
    node.look();
    for (const runtime of opened) {
      await runtime.shutdown!();
      await runtime.close();
    }
    opened = [];
    logged.length = 0;
    layers.stored.clear();
  });

  const make = (more: Partial<KubernetesRuntimeOptions> = {}) => {
    const made = kubernetesRuntime({
      cluster: clusterOf(config),
      installation: INSTALLATION,
      images: [IMAGE],
      restoreImage: "busybox",
      nodes: {},
      storageClass: undefined,
      // Without claims nothing is made of it.
      snapshotClass: "copies",
      hasInternet: true,
      scheduleMs: 0,
      bootMs: 60_000,
      adbKey: () => Promise.reject(new Error("no key was expected")),
      layers,
      clock: systemClock,
      log: (line) => logged.push(line),
      ...more,
    });
    opened.push(made);
    return made;
  };

  describeRuntime(
    "kubernetes",
    async () => {
      const runtime = make();
      return {
        runtime,
        restarted: async () => make(),
        slots: 3,
        listens: true,
        artefact: IMAGE,
        kill: async ({ id }) => node.kill(`devices/${nameOf(INSTALLATION, id)}`),
        stall: async () => {
          node.isHalted = true;
        },
        resources: async ({ id }) => {
          const { core } = clusterOf(config);
          const { spec } = await core.readNamespacedPod({ namespace: "devices", name: nameOf(INSTALLATION, id)! });
          const { cpu, memory } = spec!.containers[0]!.resources!.limits!;
          return { cpuCount: Number(cpu), ramMb: Number(/^(\d+)Mi$/.exec(memory!)?.[1]) };
        },
        stranger: async () => make({ installation: "other" }),
        saving: {
          layers,
          elsewhere: async () => make({ cluster: clusterOf(config, "elsewhere") }),
          write: ({ adb }, name, text) =>
            withLink(adb, (link) => link.push({ path: pathOf(name), mtime: 0, source: once(Buffer.from(text)) })),
          read: async ({ adb }, name) => {
            const text = await shell(adb, `cat ${pathOf(name)} && echo -n .`);
            return text === "" ? undefined : text.slice(0, -1);
          },
          delete: async ({ adb }, name) => void (await shell(adb, `rm ${pathOf(name)}`)),
        },
        dispose: async () => {
          node.isHalted = false;
          node.look();
          for (const one of opened) {
            await one.shutdown!();
            await one.close();
          }
          opened = [];
        },
      };
    },
    { save: true, stall: true, resources: true, stranger: true },
  );

  const spec = (artefact = IMAGE) => {
    const made = aMachineSpec();
    return { ...made, image: { ...made.image, artefact } };
  };

  it("reaches adb at a Pod's own address from within the cluster", async () => {
    const machine = await make({ cluster: clusterOf(config, "devices", "front") }).start(spec(), none);
    expect(machine.adb.host).toMatch(/^127\.77\./);
    expect(await shell(machine.adb, "echo here")).toBe("here\n");
  });

  it.skipIf(typeof peers === "string" || !peers.api.isReal)(
    "describes claims for disks as the API takes them",
    async () => {
      const { core } = clusterOf(config);
      const options = {
        installation: INSTALLATION,
        port: undefined,
        restoreImage: "busybox",
        nodes: { zone: "one" },
        storageClass: "fast",
      };
      const body = podOf({ ...spec(), layers: [{ sha256: "0".repeat(64), size: 1 }] }, "claims", options);
      const taken = await core.createNamespacedPod({ namespace: "devices", body, dryRun: "All" });
      expect(taken.spec!.volumes![0]!.ephemeral!.volumeClaimTemplate!.spec.storageClassName).toBe("fast");
    },
  );

  it("ends a device that never boots, and says why; one that ends, with its last words", async () => {
    const runtime = make({ bootMs: 2_000 });
    const silent = await runtime.start(spec(SILENT), none);
    await aborted(silent.gone);
    expect(String(silent.gone.reason)).toMatch(/its adb did not answer in 2 s: .*refused/);
    expect(await runtime.list()).toEqual([]);
    const machine = await runtime.start({ ...spec(), boot: 2 }, none);
    await expect.poll(() => logged.some((line) => line.includes("has started in"))).toBe(true);
    node.kill(`devices/${nameOf(INSTALLATION, machine.id)}`);
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toMatch(/its container ended with code 137, and said: .*adbd/s);
  });

  it("saves a snapshot of a claim, and lets the device stand still only until that is taken", async () => {
    const runtime = make({ storageClass: "fast" });
    const { adb, id, ...machine } = await runtime.start(spec(), none);
    const pod = nameOf(INSTALLATION, id)!;
    const count = ["sh", "-c", "cat /proc/[0-9]*/status | grep -c 'T (stopped)' || true"];
    const standing = async () =>
      Number(await output(clusterOf(config), { pod, container: DEVICE, command: count }, none));
    const write = (name: string) => shell(adb, `echo ${name} > ${pathOf(name)} && sync`);
    await write("before");
    const saving = machine.save!({ onProgress: () => undefined }, none);
    saving.catch(() => undefined);
    const snapshot = await storage.asked();
    expect(await standing()).toBeGreaterThan(0);
    await storage.take(snapshot, await node.dataOf(`devices/${pod}`));
    await expect.poll(standing).toBe(0);
    await write("after");
    await storage.say(snapshot.metadata.name, { creationTime: "2026-11-28T10:00:00Z", readyToUse: true });
    const saved = await saving;
    await expect.poll(() => storage.names()).toEqual([pod]);

    const failing = machine.save!({ onProgress: () => undefined }, none);
    failing.catch(() => undefined);
    await storage.say((await storage.asked()).metadata.name, { error: { message: "no room for snapshots" } });
    await expect(failing).rejects.toThrow("no room for snapshots");
    expect(await standing()).toBe(0);
    expect(await storage.names()).toEqual([pod]);

    const other = await make().start({ ...spec(), id: "restored", layers: saved }, none);
    expect(await shell(other.adb, `cd ${pathOf("")} && ls`)).toBe("before\n");
  });

  it("lets a device go on that a gateway has left standing still which was killed in the middle of a save", async () => {
    const { adb, id, boot } = await make().start(spec(), none);
    expect(await shell(adb, "echo runs")).toBe("runs\n");
    const pod = nameOf(INSTALLATION, id)!;
    await output(clusterOf(config), { pod, container: DEVICE, command: ["sh", "-c", "kill -STOP -1"] }, none);
    await expect(shell(adb, "echo stands")).rejects.toThrow(/timeout|aborted/i);
    const adopted = await make().adopt({ id, boot });
    expect(await shell(adopted!.adb, "echo runs")).toBe("runs\n");
  });
});

function clusterOf(config: KubeConfig, namespace = "devices", home?: string): Cluster {
  return {
    config,
    core: config.makeApiClient(CoreV1Api),
    networking: config.makeApiClient(NetworkingV1Api),
    namespace,
    home,
  };
}

const pathOf = (name: string) => `/data/local/tmp/${name}`;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function withLink<T>({ host, port }: AdbAddress, act: (link: AdbLink) => Promise<T>): Promise<T> {
  // adbd may not listen yet.
  for (let tries = 0; ; tries++)
    try {
      const link = await connectAdb(nodeSocketDuplex(connect(port, host)), { signal: AbortSignal.timeout(3_000) });
      try {
        return await act(link);
      } finally {
        link.close();
      }
    } catch (error) {
      if (tries > 20 || (error as { code?: string }).code !== "CLOSED") throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

const shell = (adb: AdbAddress, command: string): Promise<string> =>
  withLink(adb, async (link) => (await link.shell(command)).stdout);
