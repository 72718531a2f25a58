import { aMachineSpec } from "@terrarium/runtime/testing";
import type { V1IPBlock } from "@kubernetes/client-node";
import { mkdtempSync, rmSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openCluster } from "./cluster.ts";
import { policyOf } from "./network-policy.ts";
import { isRedroid, nameOf, podOf } from "./pod.ts";
import { installationOf, runtime } from "./runtime.ts";

const options = {
  installation: "moss",
  port: 7001,
  restoreImage: "busybox",
  nodes: { zone: "one" },
  storageClass: undefined,
};
const spec = aMachineSpec();

it("makes redroid's Pods privileged, with its screen's size, and no others", () => {
  for (const [artefact, is] of [
    ["redroid/redroid:14.0.0-latest", true],
    ["registry.example.com:5000/redroid:12", true],
    ["redroid/other:14.0", false],
    ["moss:redroid", false],
  ] as const)
    expect(isRedroid(artefact)).toBe(is);
  const redroid = podOf({ ...spec, image: { ...spec.image, artefact: "redroid/redroid:14" } }, "n", options);
  expect(redroid.spec!.containers[0]).toMatchObject({
    securityContext: { privileged: true },
    args: expect.arrayContaining(["androidboot.redroid_width=360"]),
  });
  const other = podOf(spec, "n", options).spec!.containers[0]!;
  expect([other.securityContext, other.args]).toEqual([{ privileged: false }, undefined]);
});

function isIn(address: string, { cidr, except = [] }: V1IPBlock): boolean {
  const [first, ...others] = [cidr, ...except].map((range) => {
    const [network = "", bits] = range.split("/");
    const list = new BlockList();
    list.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
    return isIP(address) === isIP(network) && list.check(address, network.includes(":") ? "ipv6" : "ipv4");
  });
  return first === true && !others.includes(true);
}

it("gives a Pod what its profile says, on nodes of its processor and zone, and no right to the cluster", () => {
  const pod = podOf(spec, "n", options);
  expect(pod.spec).toMatchObject({
    automountServiceAccountToken: false,
    restartPolicy: "Never",
    nodeSelector: { zone: "one", "kubernetes.io/arch": "amd64" },
    volumes: [{ emptyDir: { sizeLimit: "4096Mi" } }],
  });
  const limits = { cpu: "2", memory: "2048Mi" };
  expect(pod.spec!.containers[0]!.resources).toEqual({
    limits,
    requests: { ...limits, "ephemeral-storage": "4096Mi" },
  });
  const { containers, volumes } = podOf(spec, "n", { ...options, storageClass: "fast" }).spec!;
  expect(containers[0]!.resources!.requests).toEqual(limits);
  const claimed = volumes![0]!;
  expect(claimed.ephemeral!.volumeClaimTemplate!.spec).toMatchObject({
    storageClassName: "fast",
    resources: { requests: { storage: "4096Mi" } },
  });
});

it("puts what was saved in place by an image of its own, as redroid's has no shell before it runs", () => {
  const layers = [{ id: "1", sizeBytes: 1, sha256: "" }] as never;
  const [restore] = podOf({ ...spec, layers }, "n", options).spec!.initContainers!;
  expect(restore).toMatchObject({ name: "restore", image: "busybox", volumeMounts: [{ mountPath: "/data" }] });
  expect(restore!.securityContext).toBeUndefined();
  expect(podOf(spec, "n", options).spec!.initContainers).toBeUndefined();
});

it("names no Pod by what is no id", () => {
  expect(nameOf("moss", spec.id)).toBe(`moss-${spec.id}`);
  for (const id of ["../../etc/passwd", "A", "", "a".repeat(41), "a-"]) expect(nameOf("moss", id)).toBeUndefined();
});

it("lets only gateways to adb, and devices to nothing but the internet", () => {
  const inside = policyOf("moss", { home: "terrarium", hasInternet: true }).spec!;
  expect(inside.ingress).toEqual([
    {
      _from: [
        {
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "terrarium" } },
          podSelector: { matchLabels: { "terrarium.gateway": "moss" } },
        },
      ],
      ports: [{ protocol: "TCP", port: 5555 }],
    },
  ]);
  const [names, internet] = inside.egress!;
  expect(names!.ports!.map(({ port }) => port)).toEqual([53, 53]);
  for (const [address, isOpen] of [
    ["9.9.9.9", true],
    ["2620:fe::fe", true],
    ["10.0.0.1", false],
    ["100.100.100.200", false],
    ["168.63.129.16", false],
    ["169.254.169.254", false],
    ["192.0.0.192", false],
    ["198.18.0.1", false],
    ["240.0.0.1", false],
    ["fd00:ec2::254", false],
    ["fe80::1", false],
    ["::ffff:169.254.169.254", false],
    ["64:ff9b::a9fe:a9fe", false],
    ["2002:a9fe:a9fe::1", false],
    ["2001:0:a9fe:a9fe::1", false],
  ] as const)
    expect([address, internet!.to!.some(({ ipBlock }) => isIn(address, ipBlock!))]).toEqual([address, isOpen]);
  const outside = policyOf("moss", { home: undefined, hasInternet: false }).spec!;
  expect([outside.ingress, outside.egress]).toEqual([[], []]);
});

it("shares devices with nobody who was not given the same name, which a gateway in a cluster must be", () => {
  const folder = mkdtempSync(join(tmpdir(), "terrarium-kubernetes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [one, other] = ["one", "other"].map((part) => installationOf(join(folder, part), { home: undefined }));
  expect(one).not.toBe(other);
  expect(installationOf(join(folder, "one"), { home: undefined })).toBe(one);
  expect(runtime.settings.safeParse({ TERRARIUM_KUBERNETES_INSTALLATION: one }).success).toBe(true);
  expect(() => installationOf(folder, { home: "terrarium" })).toThrow("TERRARIUM_KUBERNETES_INSTALLATION must be set");
});

it("refuses settings that are none, and a gateway without a cluster", () => {
  const parse = (env: object) => runtime.settings.safeParse(env).error?.issues[0]?.message;
  expect(parse({ TERRARIUM_KUBERNETES_NODES: "zone" })).toContain('"zone" is not label=value');
  expect(parse({ TERRARIUM_KUBERNETES_NODES: "topology.kubernetes.io/zone=a,b=" })).toBeUndefined();
  for (const TERRARIUM_KUBERNETES_INSTALLATION of ["Moss", "a".repeat(21), "-a"])
    expect(parse({ TERRARIUM_KUBERNETES_INSTALLATION })).toContain("lower-case");
  expect(parse({ TERRARIUM_KUBERNETES_SNAPSHOT_CLASS: "copies" })).toContain(
    "Needs TERRARIUM_KUBERNETES_STORAGE_CLASS",
  );
  const classes = { TERRARIUM_KUBERNETES_SNAPSHOT_CLASS: "copies", TERRARIUM_KUBERNETES_STORAGE_CLASS: "fast" };
  expect(parse(classes)).toBeUndefined();
  expect(() => openCluster({})).toThrow("TERRARIUM_KUBERNETES_CONFIG must name a kubeconfig");
});
