import { CoreV1Api, NetworkingV1Api, type V1Pod } from "@kubernetes/client-node";
import { aborted, TestClock } from "@terrarium/clock";
import { type Machine, NoSlotError } from "@terrarium/runtime";
import { aMachineSpec, MemoryLayers } from "@terrarium/runtime/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Cluster } from "./cluster.ts";
import { kubernetesRuntime, type KubernetesRuntimeOptions } from "./kubernetes-runtime.ts";
import { DEVICE, nameOf } from "./pod.ts";
import { FakeApiServer } from "./testing/fake-api-server.ts";

const none = new AbortController().signal;
const spec = aMachineSpec();
const namespace = "devices";
const name = nameOf("moss", spec.id)!;

/** A cluster whose nodes and kubelets the test plays. */
async function aCluster() {
  const fake = new FakeApiServer();
  fake.hasKubelets = false;
  const config = await fake.start();
  onTestFinished(() => fake.stop());
  const core = config.makeApiClient(CoreV1Api);
  const networking = config.makeApiClient(NetworkingV1Api);
  const cluster: Cluster = { config, core, networking, namespace, home: "terrarium" };
  const clock = new TestClock();
  const logged: string[] = [];
  const aGateway = (more: Partial<KubernetesRuntimeOptions> = {}) => {
    const made = kubernetesRuntime({
      cluster,
      installation: "moss",
      images: [],
      restoreImage: "busybox",
      nodes: {},
      storageClass: undefined,
      snapshotClass: undefined,
      hasInternet: true,
      scheduleMs: 0,
      bootMs: 3_600_000,
      adbKey: () => Promise.reject(new Error("no key was expected")),
      layers: new MemoryLayers(),
      clock,
      log: (line) => logged.push(line),
      ...more,
    });
    onTestFinished(() => made.close());
    return made;
  };
  const pods = async () => (await core.listNamespacedPod({ namespace })).items;
  const pod = async (): Promise<V1Pod> => {
    await expect.poll(pods).toHaveLength(1);
    return (await pods())[0]!;
  };
  const say = async (status: V1Pod["status"]) => {
    const now = await pod();
    Object.assign(now.status!, status);
    await core.replaceNamespacedPodStatus({ namespace, name, body: now });
  };
  const place = async () => {
    const { metadata } = await pod();
    const body = { metadata: { name, uid: metadata!.uid! }, target: { kind: "Node", name: "node" } };
    await core.createNamespacedPodBinding({ namespace, name, body });
  };
  const container = (state: object) => ({
    name: DEVICE,
    image: "test",
    imageID: "test",
    ready: true,
    restartCount: 0,
    state,
  });
  const run = () => say({ phase: "Running", podIP: "127.0.0.1", containerStatuses: [container({ running: {} })] });
  const end = () => say({ phase: "Failed", containerStatuses: [container({ terminated: { exitCode: 7 } })] });
  /** A device that has started. */
  const started = async (gateway = aGateway()) => {
    const starting = gateway.start(spec, none);
    await place();
    await run();
    return starting;
  };
  return { fake, config, core, networking, clock, logged, aGateway, pods, say, place, container, run, end, started };
}

describe("a cluster", () => {
  it("has no slot when no node takes a device, and when the namespace is full; nothing is left", async () => {
    const { fake, aGateway, say, pods } = await aCluster();
    const gateway = aGateway();
    const starting = gateway.start(spec, none).catch((error: unknown) => error);
    const message = "0/3 nodes are available: 3 Insufficient memory.";
    await say({ conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }] });
    expect(await starting).toBeInstanceOf(NoSlotError);
    expect(String(await starting)).toContain(message);
    expect(await pods()).toEqual([]);
    fake.quota = 0;
    const refused = await gateway.start(spec, none).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NoSlotError);
    expect(String(refused)).toContain("exceeded quota");
  });

  it("is waited for while it may add a node, and no longer", async () => {
    const { aGateway, say, place, run, clock } = await aCluster();
    const gateway = aGateway({ scheduleMs: 30_000 });
    const full = { conditions: [{ type: "PodScheduled", status: "False", message: "1 Insufficient cpu" }] };
    const starting = gateway.start(spec, none);
    await say(full);
    await clock.advance(29_000);
    await place();
    await run();
    await (await starting).stop();
    const late = gateway.start({ ...spec, boot: 2 }, none).catch((error: unknown) => error);
    await say(full);
    let refused: unknown;
    void late.then((error) => (refused = error));
    await expect.poll(async () => (await clock.advance(1_000), refused)).toBeInstanceOf(NoSlotError);
    expect(String(refused)).toContain("1 Insufficient cpu");
  });

  it("has room for a device whose disk is not there yet", async () => {
    const { aGateway, say, place, run } = await aCluster();
    const starting = aGateway({ storageClass: "fast" }).start(spec, none);
    starting.catch(() => undefined);
    for (const message of [
      '0/1 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "data".',
      "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
    ])
      await say({ conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }] });
    await place();
    await run();
    expect((await starting).boot).toBe(1);
  });

  it("ends a start whose image there is none of, and says so", async () => {
    const { aGateway, say, place, container, pods } = await aCluster();
    const starting = aGateway()
      .start(spec, none)
      .catch((error: unknown) => error);
    await place();
    await say({
      containerStatuses: [container({ waiting: { reason: "ImagePullBackOff", message: "no such image" } })],
    });
    expect(String(await starting)).toContain("test: no such image");
    expect(await pods()).toEqual([]);
  });

  it("keeps devices from each other before it starts one, and starts none where it cannot", async () => {
    const { fake, networking, started, aGateway, pods } = await aCluster();
    fake.refuses = "networkpolicies";
    const gateway = aGateway();
    await expect(gateway.start(spec, none)).rejects.toThrow("networkpolicies is forbidden");
    expect(await pods()).toEqual([]);
    fake.refuses = undefined;
    const machine = await started(gateway);
    expect(machine.adb).toEqual({ host: "127.0.0.1", port: 5555 });
    const { spec: policy } = await networking.readNamespacedNetworkPolicy({ namespace, name: "moss-devices" });
    expect(policy).toMatchObject({
      podSelector: { matchLabels: { "terrarium.installation": "moss" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        { _from: [{ podSelector: { matchLabels: { "terrarium.gateway": "moss" } } }], ports: [{ port: 5555 }] },
      ],
    });
    // Another gateway, of a version that wants another policy.
    await aGateway({ hasInternet: false }).prepare!();
    const after = await networking.readNamespacedNetworkPolicy({ namespace, name: "moss-devices" });
    expect(after.spec!.egress).toEqual([]);
  });

  it("tells of devices that end, are evicted or are removed, also after what it has not told is forgotten", async () => {
    const { fake, core, clock, started, end, say, pods } = await aCluster();
    const ended = await started();
    fake.forget();
    await end();
    await expect.poll(async () => (await clock.advance(2_000), ended.gone.aborted)).toBe(true);
    expect(String(ended.gone.reason)).toContain("its container ended with code 7");
    await expect.poll(pods).toEqual([]);
    const evicted = await started();
    await say({ phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." });
    await aborted(evicted.gone);
    expect(String(evicted.gone.reason)).toContain("Evicted, The node was low on resource: memory.");
    await expect.poll(pods).toEqual([]);
    const removed = await started();
    await core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 });
    await aborted(removed.gone);
  });

  it("tells of them again after a token could not be had, and says that it did not", async () => {
    const { fake, config, clock, logged, started, end } = await aCluster();
    const machine = await started();
    const authenticate = config.applySecurityAuthentication.bind(config);
    let refused = 0;
    config.applySecurityAuthentication = async (context) => {
      if (!("getUrl" in context) || !context.getUrl().includes("watch=true")) return authenticate(context);
      refused++;
      throw new Error("no token");
    };
    fake.forget();
    await expect.poll(async () => (await clock.advance(2_000), refused)).toBeGreaterThan(1);
    expect(logged).toContain("the cluster does not tell of its Pods: no token");
    config.applySecurityAuthentication = authenticate;
    await end();
    await expect.poll(async () => (await clock.advance(2_000), machine.gone.aborted)).toBe(true);
  });

  it("is shared by gateways: one finds what another has started, and what that has left unfinished it removes", async () => {
    const { aGateway, started, pods, run, place, core } = await aCluster();
    const [one, other] = [aGateway(), aGateway()];
    expect(await other.place()).toBe(await one.place());
    await started(one);
    await one.close();
    expect(await other.list()).toEqual([{ id: spec.id, boot: 1 }]);
    expect((await other.adopt({ id: spec.id, boot: 1 }))?.adb).toEqual({ host: "127.0.0.1", port: 5555 });
    await core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 });
    await expect.poll(pods).toEqual([]);
    // A gateway that is killed as it starts one.
    const killed = aGateway();
    const starting = killed.start(spec, none).catch(() => undefined);
    await expect.poll(pods).toHaveLength(1);
    const [{ metadata: before }] = (await pods()) as [V1Pod];
    expect(await other.list()).toEqual([{ id: spec.id, boot: 1 }]);
    const again = other.start(spec, none);
    await expect.poll(async () => (await pods())[0]?.metadata?.uid).not.toBe(before!.uid);
    await place();
    await run();
    expect((await again).boot).toBe(1);
    await killed.close();
    await starting;
  });

  it("is rid of Pods that ended while no gateway was there, when one has seen them twice", async () => {
    const { aGateway, started, end, pods, clock } = await aCluster();
    const one = aGateway();
    await started(one);
    await one.close();
    await end();
    const other = aGateway();
    expect(await other.list()).toEqual([]);
    await clock.advance(60_000);
    expect(await pods()).toHaveLength(1);
    await expect.poll(async () => (await clock.advance(60_000), pods())).toEqual([]);
  });

  it("lists a Pod that it could not remove, which is then removed at another try", async () => {
    const { fake, started, aGateway, pods } = await aCluster();
    const gateway = aGateway();
    const machine = await started(gateway);
    fake.refuses = "pods";
    await expect(machine.stop()).rejects.toThrow("403");
    expect(machine.gone.aborted).toBe(true);
    expect(await gateway.list()).toEqual([{ id: spec.id, boot: 1 }]);
    fake.refuses = undefined;
    await gateway.stop(spec.id);
    expect(await pods()).toEqual([]);
  });

  it("ends a device whose Pod is not listed any more, though nobody told of it", async () => {
    const { fake, config, clock, started, core, pods } = await aCluster();
    const machine = await started();
    // No watch is opened again.
    const over = Promise.withResolvers<void>();
    const authenticate = config.applySecurityAuthentication.bind(config);
    config.applySecurityAuthentication = async (context) => {
      if ("getUrl" in context && context.getUrl().includes("watch=true")) await over.promise;
      return authenticate(context);
    };
    fake.forget();
    await core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 });
    expect(await pods()).toEqual([]);
    await expect.poll(async () => (await clock.advance(60_000), machine.gone.aborted)).toBe(true);
    expect(String(machine.gone.reason)).toContain("its Pod was removed");
    over.resolve();
  });

  it("is waited for by whoever takes a device over, and no longer than it takes to give it up", async () => {
    const { fake, clock, started, aGateway } = await aCluster();
    const one = aGateway();
    await started(one);
    await one.close();
    fake.isAway = true;
    const adopting = aGateway().adopt({ id: spec.id, boot: 1 });
    await clock.advance(60_000);
    fake.isAway = false;
    let machine: Machine | undefined;
    void adopting.then((adopted) => (machine = adopted));
    await expect.poll(async () => (await clock.advance(2_000), machine?.id)).toBe(spec.id);
    fake.isAway = true;
    const error = aGateway()
      .adopt({ id: spec.id, boot: 1 })
      .catch((reason: unknown) => reason);
    let failed: unknown;
    void error.then((reason) => (failed = reason));
    await expect.poll(async () => (await clock.advance(60_000), failed)).toBeInstanceOf(Error);
    fake.isAway = false;
  });

  it("keeps devices from each other again when somebody has removed what does", async () => {
    const { networking, clock, started } = await aCluster();
    const policy = { namespace, name: "moss-devices" };
    await started();
    await networking.deleteNamespacedNetworkPolicy(policy);
    const found = () => networking.readNamespacedNetworkPolicy(policy).catch(() => undefined);
    expect(await found()).toBeUndefined();
    await expect.poll(async () => (await clock.advance(60_000), found())).toBeDefined();
  });

  it("leaves a device to the gateway that was first to start it", async () => {
    const { core, aGateway, place, run, pods } = await aCluster();
    const [one, other] = [aGateway(), aGateway()];
    const first = one.start(spec, none);
    await expect.poll(pods).toHaveLength(1);
    // The other looked before there was one.
    const read = core.readNamespacedPod.bind(core);
    core.readNamespacedPod = () => {
      core.readNamespacedPod = read;
      return Promise.reject(Object.assign(new Error("not found"), { code: 404 }));
    };
    await expect(other.start(spec, none)).rejects.toThrow("already exists");
    expect(await pods()).toHaveLength(1);
    await place();
    await run();
    expect((await first).boot).toBe(1);
  });

  it("starts no device at an address that its Pod does not have yet", async () => {
    const { aGateway, place, say, container, run } = await aCluster();
    const starting = aGateway().start(spec, none);
    await place();
    await say({ phase: "Running", containerStatuses: [container({ running: {} })] });
    await run();
    expect((await starting).adb.host).toBe("127.0.0.1");
  });

  it("offers images for the processors of nodes that take devices", async () => {
    const { core, clock, aGateway } = await aCluster();
    const gateway = aGateway({ images: ["redroid/redroid:14.0.0-latest", "moss:latest"], nodes: { zone: "one" } });
    const problems = async () => (await gateway.found!()).map(({ problem }) => problem);
    expect(await problems()).toEqual(Array(2).fill("no node of the cluster takes devices"));
    const aNode = (node: string, zone: string, architecture: string) =>
      core.createNode({
        body: { metadata: { name: node, labels: { zone } }, status: { nodeInfo: { architecture } as never } },
      });
    await aNode("other", "two", "amd64");
    await aNode("node", "one", "arm64");
    await clock.advance(31_000);
    const [first, second] = await gateway.found!();
    expect(first).toMatchObject({ isFree: true, image: { osVersion: "14.0", sdkVersion: 34, arch: "arm64" } });
    expect(second!.problem).toContain("its tag does not say which Android it is");
    await gateway.verify!({ ...spec.image, arch: "arm64" });
    await expect(gateway.verify!(spec.image)).rejects.toThrow("no node has a processor for it: they have arm64");
  });
});
