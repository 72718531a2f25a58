import { CoreV1Api, CustomObjectsApi, NetworkingV1Api, type V1Pod } from "@kubernetes/client-node";
import { TestClock } from "@terrarium/clock";
import { askIn } from "@terrarium/runtime";
import { aMachineSpec } from "@terrarium/runtime/testing";
import { expect, it, onTestFinished } from "vitest";
import { DiskCopy } from "./disk-copy.ts";
import { podOf } from "./pod.ts";
import { FakeApiServer } from "./testing/fake-api-server.ts";

const none = new AbortController().signal;
const namespace = "devices";
const snapshots = { group: "snapshot.storage.k8s.io", version: "v1", plural: "volumesnapshots", namespace };

/** A device with a claim, in a cluster whose storage the test plays. */
async function aDevice() {
  const fake = new FakeApiServer();
  fake.hasKubelets = false;
  const config = await fake.start();
  onTestFinished(() => fake.stop());
  const [core, custom] = [config.makeApiClient(CoreV1Api), config.makeApiClient(CustomObjectsApi)];
  const networking = config.makeApiClient(NetworkingV1Api);
  const made = podOf(aMachineSpec(), "moss-device", {
    installation: "moss",
    port: undefined,
    restoreImage: "busybox",
    nodes: { zone: "one" },
    storageClass: "fast",
  });
  const device = await core.createNamespacedPod({ namespace, body: made });
  const clock = new TestClock();
  const logged: string[] = [];
  const copy = new DiskCopy(device, {
    cluster: { config, core, networking, namespace, home: undefined },
    // The test moves its clock while the API answers.
    ask: askIn(clock, 600_000),
    clock,
    log: (line) => logged.push(line),
    snapshotClass: "copies",
    restoreImage: "busybox",
  });
  const all = async () => ((await custom.listNamespacedCustomObject(snapshots)) as { items: V1Pod[] }).items;
  const snapshot = async () => {
    await expect.poll(all).toHaveLength(1);
    return (await all())[0]!;
  };
  const say = async (status: object) => {
    const now = await snapshot();
    const body = Object.assign({}, now, { status });
    await custom.replaceNamespacedCustomObjectStatus({ ...snapshots, name: now.metadata!.name!, body });
  };
  const pod = async (name: string) => core.readNamespacedPod({ namespace, name });
  const claims = async () => (await core.listNamespacedPersistentVolumeClaim({ namespace })).items;
  const pods = async () => (await core.listNamespacedPod({ namespace })).items;
  /** Lets it look until it has seen. */
  const seen = async <T>(promise: Promise<T>, stepMs = 500): Promise<T> => {
    let isOver = false;
    const over = promise.finally(() => (isOver = true));
    over.catch(() => undefined);
    await expect.poll(async () => (await clock.advance(stepMs), isOver)).toBe(true);
    return over;
  };
  return { fake, device, core, clock, copy, snapshot, say, pod, pods, claims, all, seen, logged };
}

it("is taken of the device's claim, read by a Pod that is no device, and removed", async () => {
  const { device, core, copy, snapshot, say, pod, pods, claims, all, seen } = await aDevice();
  const taking = copy.take(none);
  expect(await snapshot()).toMatchObject({
    kind: "VolumeSnapshot",
    metadata: { ownerReferences: [{ kind: "Pod", name: "moss-device", uid: device.metadata!.uid }] },
    spec: { volumeSnapshotClassName: "copies", source: { persistentVolumeClaimName: "moss-device-data" } },
  });
  await say({ creationTime: "2026-11-28T10:00:00Z", readyToUse: false });
  await seen(taking);
  expect(await claims()).toEqual([]);

  const opening = copy.open(none);
  await say({ creationTime: "2026-11-28T10:00:00Z", readyToUse: true, restoreSize: "20Gi" });
  opening.catch(() => undefined);
  const { name } = (await snapshot()).metadata!;
  const reader = async () => (await pods()).find(({ metadata }) => metadata?.name === name);
  await expect.poll(async () => (await seen(Promise.resolve()), reader())).toBeDefined();
  expect((await claims())[0]!.spec).toEqual({
    accessModes: ["ReadWriteOnce"],
    storageClassName: "fast",
    resources: { requests: { storage: "20Gi" } },
    dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name },
  });
  const made = await pod(name!);
  // Neither is it watched as a device, nor may it reach one.
  expect(made.metadata!.labels).toEqual({ "terrarium.installation": "moss" });
  expect(made.metadata!.ownerReferences).toHaveLength(1);
  expect(made.spec).toMatchObject({
    automountServiceAccountToken: false,
    nodeSelector: { zone: "one", "kubernetes.io/arch": "amd64" },
    tolerations: [{ key: "terrarium.devices", operator: "Exists" }],
    volumes: [{ persistentVolumeClaim: { claimName: name } }],
  });
  await core.replaceNamespacedPodStatus({
    namespace,
    name: name!,
    body: Object.assign(made, { status: { phase: "Running" } }),
  });
  expect(await seen(opening)).toBe(name);
  await copy.remove();
  expect([await all(), await claims(), await pods()]).toEqual([[], [], [expect.anything()]]);
});

it("says why the storage does not take it, and that it takes too long", async () => {
  const { copy, say, seen, clock } = await aDevice();
  const refused = copy.take(none);
  refused.catch(() => undefined);
  await say({ error: { message: "no room for snapshots" } });
  await expect(seen(refused)).rejects.toThrow("its disk was not copied: no room for snapshots");
  await copy.remove();
  const began = clock.monotonic();
  await expect(seen(copy.take(none), 10_000)).rejects.toThrow("its snapshot was not taken in 60 s");
  expect(clock.monotonic() - began).toBeLessThan(90_000);
});

it("ends with the signal's reason, and is removed though nothing of it is there", async () => {
  const { copy, fake, seen, snapshot, all, logged } = await aDevice();
  const stop = new AbortController();
  const taking = copy.take(stop.signal);
  taking.catch(() => undefined);
  await snapshot();
  stop.abort(new Error("the device is over"));
  await expect(seen(taking)).rejects.toThrow("the device is over");
  fake.refuses = "volumesnapshots";
  await copy.remove();
  expect(logged).toEqual([expect.stringMatching(/may be left of a save: volumesnapshots is forbidden/)]);
  fake.refuses = undefined;
  await copy.remove();
  expect(await all()).toEqual([]);
});
