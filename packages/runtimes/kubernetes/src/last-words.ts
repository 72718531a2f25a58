import type { V1Pod } from "@kubernetes/client-node";
import type { Ask } from "@terrarium/runtime";
import type { Cluster } from "./cluster.ts";
import { DEVICE, endOf } from "./pod.ts";

const LAST_WORDS = 5;
const MAX_WORDS = 500;

/** Why a Pod has ended, as far as the cluster and its container say. */
export async function lastWords(pod: V1Pod, { core, namespace }: Cluster, ask: Ask): Promise<string> {
  const { metadata, status } = pod;
  if (metadata?.deletionTimestamp !== undefined)
    return `its Pod is removed${status?.message ? `: ${status.message}` : ""}`;
  const logs = { namespace, name: metadata?.name ?? "", container: DEVICE, tailLines: LAST_WORDS };
  const said = await ask(() => core.readNamespacedPodLog(logs)).catch(() => "");
  const words = said.trim().slice(-MAX_WORDS);
  return endOf(pod) + (words && `, and said: ${words}`);
}
