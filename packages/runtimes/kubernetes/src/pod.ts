import type { V1ContainerStatus, V1PersistentVolumeClaimSpec, V1Pod, V1Volume } from "@kubernetes/client-node";
import { type MachineRef, type MachineSpec, redroidArguments } from "@terrarium/runtime";

export const ADB_PORT = 5555;
/** Where Android stores what survives a reboot: a volume of each device, and what is saved. */
export const DATA = "/data";
/** The container that runs Android, and the one before it that puts a saved state in place. */
export const DEVICE = "device";
export const RESTORE = "restore";

/** What is ours says whose it is, so that nothing else is ever touched. */
export const label = {
  /** The installation; Pods and the network policy have it. */
  installation: "terrarium.installation",
  id: "terrarium.id",
  boot: "terrarium.boot",
  /** Of gateways, whose Pods the chart labels: what alone reaches adb. */
  gateway: "terrarium.gateway",
} as const;
/** Not labels, as nobody looks for Pods by them. */
const note = {
  /** The port of the gateway's loopback that leads to its adb. */
  port: "terrarium.port",
  diskMb: "terrarium.disk-mb",
} as const;

export interface PodOptions {
  installation: string;
  /** The port of loopback that leads to it, if it is reached so. */
  port: number | undefined;
  /** With a shell and tar, which redroid's has not before it runs: what puts a saved state in place. */
  restoreImage: string;
  /** Labels that its node must have. */
  nodes: Readonly<Record<string, string>>;
  /** Of the claim for its user data; without it, that is on the node. */
  storageClass: string | undefined;
}

/** What is known about a Pod that runs a machine. */
export interface Hosted extends MachineRef {
  uid: string;
  pod: string;
  port: number | undefined;
  diskMb: number;
}

export const hostedOf = ({ metadata }: V1Pod): Hosted => ({
  id: metadata?.labels?.[label.id] ?? "",
  boot: Number(metadata?.labels?.[label.boot]),
  uid: metadata?.uid ?? "",
  pod: metadata?.name ?? "",
  port: Number(metadata?.annotations?.[note.port]) || undefined,
  diskMb: Number(metadata?.annotations?.[note.diskMb]),
});

/** Of two gateways that start a machine, one fails. Undefined if this is no id of a device. */
export const nameOf = (installation: string, id: string): string | undefined =>
  /^[a-z\d]([a-z\d-]{0,38}[a-z\d])?$/.test(id) ? `${installation}-${id}` : undefined;

/** By Kubernetes' names of processors. */
export const archs = { arm64: "arm64", x86: "amd64", x86_64: "amd64" } as const;
/** Nodes that are for devices alone have this taint. */
const TAINT = "terrarium.devices";

/** By its name, since nobody but the node can look into an image: `redroid/redroid:14.0.0-latest`. */
export const isRedroid = (image: string): boolean => /(^|\/)redroid[^/]*$/.test(image);

/** A Pod that has no more than its profile says, and no right to the cluster. */
export function podOf(
  spec: MachineSpec,
  name: string,
  { installation, port, restoreImage, nodes, storageClass }: PodOptions,
): V1Pod {
  const { id, boot, image, hardware, layers } = spec;
  const redroid = isRedroid(image.artefact);
  const size = `${hardware.dataDiskMb}Mi`;
  // A folder on its node is counted there, so that no more are promised than there is room for.
  const disk: Record<string, string> = storageClass === undefined ? { "ephemeral-storage": size } : {};
  const limits = { cpu: String(hardware.cpuCount), memory: `${hardware.ramMb}Mi` };
  const container = {
    image: image.artefact,
    imagePullPolicy: "IfNotPresent",
    // What it asks for it has to itself: nothing of it is taken away when its node is short of it.
    resources: { limits, requests: { ...limits, ...disk } },
    volumeMounts: [{ name: "data", mountPath: DATA }],
  };
  return {
    metadata: {
      name,
      labels: { [label.installation]: installation, [label.id]: id, [label.boot]: String(boot) },
      annotations: {
        ...(port === undefined ? {} : { [note.port]: String(port) }),
        [note.diskMb]: String(hardware.dataDiskMb),
        // Somebody uses it: no node is emptied of it to save money.
        "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
        "karpenter.sh/do-not-disrupt": "true",
      },
    },
    spec: {
      ...confined,
      nodeSelector: { ...nodes, "kubernetes.io/arch": archs[image.arch] },
      tolerations: [{ key: TAINT, operator: "Exists" }],
      ...(layers.length > 0
        ? { initContainers: [{ ...container, name: RESTORE, image: restoreImage, command: WAITING }] }
        : {}),
      containers: [
        {
          ...container,
          name: DEVICE,
          ports: [{ name: "adb", containerPort: ADB_PORT }],
          // Android mounts, makes devices and uses binder.
          securityContext: { privileged: redroid },
          ...(redroid ? { args: redroidArguments(hardware) } : {}),
        },
      ],
      volumes: [dataOf(size, storageClass)],
    },
  };
}

/** It has no right to the cluster, and ends once. */
export const confined = {
  restartPolicy: "Never",
  terminationGracePeriodSeconds: 1,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
} as const;

/** Until what was saved is in place. */
const WAITING = ["sh", "-c", "until [ -e /restored ]; do sleep 1; done"];

/** It goes with the Pod. */
function dataOf(size: string, storageClassName: string | undefined): V1Volume {
  const name = "data";
  if (storageClassName === undefined) return { name, emptyDir: { sizeLimit: size } };
  const resources = { requests: { storage: size } };
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName, resources };
  return { name, ephemeral: { volumeClaimTemplate: { spec } } };
}

/** What its disk was claimed by; undefined if that is on its node. */
export const claimOf = ({ spec }: V1Pod): V1PersistentVolumeClaimSpec | undefined =>
  spec?.volumes?.find(({ name }) => name === "data")?.ephemeral?.volumeClaimTemplate?.spec;

/** It runs, or will; one that has ended, or is being removed, does not. */
export const isLive = ({ metadata, status }: V1Pod): boolean =>
  metadata?.deletionTimestamp === undefined && !["Failed", "Succeeded"].includes(status?.phase ?? "");

/** It has an address then. */
export const isRunning = (pod: V1Pod): boolean =>
  isLive(pod) && stateOf(pod, DEVICE)?.running !== undefined && Boolean(pod.status?.podIP);
export const isRestoring = ({ status }: V1Pod): boolean =>
  status?.initContainerStatuses?.some(({ name, state }) => name === RESTORE && state?.running) ?? false;

const stateOf = ({ status }: V1Pod, container: string): V1ContainerStatus["state"] =>
  status?.containerStatuses?.find(({ name }) => name === container)?.state;

/** What the kubelet waits for that will not come by itself. */
const HOPELESS = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "ErrImageNeverPull",
  "ImagePullBackOff",
  "InvalidImageName",
  "RunContainerError",
]);

/** Why it will not start; undefined if it may. */
export function failureOf({ status }: V1Pod): string | undefined {
  for (const { image, state } of [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    if (state?.waiting && HOPELESS.has(state.waiting.reason ?? ""))
      return `${image}: ${state.waiting.message ?? state.waiting.reason}`;
  return undefined;
}

/** Said of each Pod with a claim until its disk is there, whatever room there is. */
const DISK_TO_COME = /waiting for ephemeral volume controller|unbound immediate PersistentVolumeClaims/;

/** Why no node takes it now; undefined if one does, or nobody has looked yet. */
export function unschedulable({ status }: V1Pod): string | undefined {
  const said = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (said?.status !== "False" || DISK_TO_COME.test(said.message ?? "")) return undefined;
  return said.message ?? said.reason;
}

/** How its containers have ended, as the cluster reports it. */
export function endOf(pod: V1Pod): string {
  const { status } = pod;
  const ended = stateOf(pod, DEVICE)?.terminated;
  if (ended?.reason === "OOMKilled") return "its container used more memory than its profile has";
  if (status?.reason !== undefined)
    return [`its Pod was ended: ${status.reason}`, status.message].filter(Boolean).join(", ");
  if (ended) return [`its container ended with code ${ended.exitCode}`, ended.message].filter(Boolean).join(", ");
  return "its Pod ended";
}
