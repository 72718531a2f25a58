import { adbKeyIn } from "@terrarium/adb";
import { defineRuntime } from "@terrarium/runtime";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Cluster, openCluster } from "./cluster.ts";
import { kubernetesRuntime } from "./kubernetes-runtime.ts";

const DEFAULT_IMAGE = "redroid/redroid:14.0.0_64only-latest";

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
/** A part of the names of Pods, with room for the id of a device; and a label. */
const Name = z
  .string()
  .regex(/^[a-z]([a-z\d-]{0,18}[a-z\d])?$/, "Must be lower-case letters, digits and dashes, 20 at most");
const Label = z.string().regex(/^[\w./-]+=[\w.-]*$/, { error: ({ input }) => `"${String(input)}" is not label=value` });

const fields = z.object({
  TERRARIUM_KUBERNETES_CONFIG: z.string().optional().meta({
    description: "a kubeconfig, whose current context is used",
    shown: "the account of the gateway's Pod",
  }),
  TERRARIUM_KUBERNETES_NAMESPACE: z.string().optional().meta({
    description: "the namespace of devices",
    shown: "that of the account or context",
  }),
  TERRARIUM_KUBERNETES_INSTALLATION: Name.optional().meta({
    description:
      "names this installation in the labels of its devices: gateways with the same one share them; needed in a Pod",
    shown: "a name in the data directory",
  }),
  TERRARIUM_KUBERNETES_IMAGES: list.default([DEFAULT_IMAGE]).meta({
    description: "images that answer adb on port 5555, which the operator's console offers, separated by commas",
    shown: `\`${DEFAULT_IMAGE}\``,
  }),
  TERRARIUM_KUBERNETES_RESTORE_IMAGE: z
    .string()
    .default("busybox:1.37")
    .describe(
      "an image with `sh`, `head`, `find` and `tar`, which puts a saved state into a device's disk before the device starts, and reads snapshots",
    ),
  TERRARIUM_KUBERNETES_NODES: list.pipe(z.array(Label)).default([]).meta({
    description: "labels of the nodes for devices, `topology.kubernetes.io/zone=eu-west-1a`, separated by commas",
    shown: "any node",
  }),
  TERRARIUM_KUBERNETES_STORAGE_CLASS: z.string().optional().meta({
    description: "the storage class of devices' disks",
    shown: "disks on their nodes",
  }),
  TERRARIUM_KUBERNETES_SNAPSHOT_CLASS: z.string().optional().meta({
    description:
      "the class of VolumeSnapshots of these disks, from which devices are saved: they stand still only until one is taken",
    shown: "they stand still until they are saved",
  }),
  TERRARIUM_KUBERNETES_INTERNET: z
    .enum(["on", "off"])
    .default("on")
    .describe("`off` to keep devices in Pods from every network"),
  TERRARIUM_KUBERNETES_SCHEDULE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(200)
    .default(0)
    .describe("how long a device may wait for a node, where an autoscaler adds some; then there is no room for it"),
  TERRARIUM_KUBERNETES_BOOT_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(240)
    .default(200)
    .describe("how long Android in a Pod may take to start; after 240 every start is over"),
});

const settings = fields.refine(
  ({ TERRARIUM_KUBERNETES_SNAPSHOT_CLASS: snapshots, TERRARIUM_KUBERNETES_STORAGE_CLASS: disks }) =>
    snapshots === undefined || disks !== undefined,
  {
    path: ["TERRARIUM_KUBERNETES_SNAPSHOT_CLASS"],
    error: "Needs TERRARIUM_KUBERNETES_STORAGE_CLASS: disks on nodes have no snapshots",
  },
);

export const runtime = defineRuntime({
  name: "kubernetes",
  settings,
  create: ({ settings: env, dataDir, layers, clock, log }) => {
    const cluster = openCluster({
      file: env.TERRARIUM_KUBERNETES_CONFIG,
      namespace: env.TERRARIUM_KUBERNETES_NAMESPACE,
    });
    return kubernetesRuntime({
      cluster,
      installation: env.TERRARIUM_KUBERNETES_INSTALLATION ?? installationOf(dataDir, cluster),
      images: env.TERRARIUM_KUBERNETES_IMAGES,
      restoreImage: env.TERRARIUM_KUBERNETES_RESTORE_IMAGE,
      nodes: Object.fromEntries(env.TERRARIUM_KUBERNETES_NODES.map((one) => one.split("=") as [string, string])),
      storageClass: env.TERRARIUM_KUBERNETES_STORAGE_CLASS,
      snapshotClass: env.TERRARIUM_KUBERNETES_SNAPSHOT_CLASS,
      hasInternet: env.TERRARIUM_KUBERNETES_INTERNET === "on",
      scheduleMs: env.TERRARIUM_KUBERNETES_SCHEDULE_SECONDS * 1000,
      bootMs: env.TERRARIUM_KUBERNETES_BOOT_SECONDS * 1000,
      adbKey: adbKeyIn(dataDir),
      layers,
      clock,
      log,
    });
  },
});

/**
 * A random name in a file, so that two services with the same namespace do not end each other's devices.
 * @throws Error in a cluster, where a Pod's data directory may not outlive it, and gateways have the name in a label
 */
export function installationOf(dataDir: string, { home }: Pick<Cluster, "home">): string {
  if (home !== undefined) throw new Error("TERRARIUM_KUBERNETES_INSTALLATION must be set in a cluster");
  const path = join(dataDir, "kubernetes-installation");
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(path)) writeFileSync(path, `t${randomBytes(6).toString("hex")}`, { mode: 0o600 });
  return readFileSync(path, "utf8");
}
