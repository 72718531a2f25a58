import { CoreV1Api, KubeConfig, NetworkingV1Api } from "@kubernetes/client-node";
import type { Ask } from "@terrarium/runtime";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What every Pod has whose account may talk to the API. */
const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Of one question to the API. */
export const ANSWER_TIMEOUT_MS = 10_000;

/** A cluster in which devices run. */
export interface Cluster {
  config: KubeConfig;
  core: CoreV1Api;
  networking: NetworkingV1Api;
  /** Where the Pods of devices are. */
  namespace: string;
  /** The namespace of this gateway, which is a Pod itself; undefined of one outside. */
  home: string | undefined;
}

/**
 * The cluster of a kubeconfig, or the one that this process runs in.
 * @throws Error that says what is missing
 */
export function openCluster({
  file,
  namespace,
}: {
  file?: string | undefined;
  namespace?: string | undefined;
}): Cluster {
  const config = new KubeConfig();
  let home: string | undefined;
  if (file !== undefined) config.loadFromFile(file);
  else if (existsSync(join(ACCOUNT, "token"))) {
    config.loadFromCluster();
    home = readFileSync(join(ACCOUNT, "namespace"), "utf8").trim();
  } else throw new Error("TERRARIUM_KUBERNETES_CONFIG must name a kubeconfig, as this gateway is not in a cluster");
  if (!config.getCurrentCluster()) throw new Error(`${file} names no cluster in its current context`);
  const current = config.getContextObject(config.getCurrentContext())?.namespace;
  return {
    config,
    core: config.makeApiClient(CoreV1Api),
    networking: config.makeApiClient(NetworkingV1Api),
    namespace: namespace ?? home ?? current ?? "default",
    home,
  };
}

/** The HTTP status of an answer of the API; undefined if it is none. */
export function codeOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "number" ? code : undefined;
}

/** What the API says, without what the library says around it. */
export function reasonOf(error: unknown): string {
  const { body } = error as { body?: unknown };
  const said: unknown = typeof body === "string" ? parsed(body) : body;
  const message = (said as { message?: unknown } | undefined)?.message;
  if (typeof message === "string") return message;
  const cause = (error as { cause?: unknown } | undefined)?.cause;
  const text = error instanceof Error ? error.message : String(error);
  return cause instanceof Error ? `${text}: ${cause.message}` : text;
}

/** Asks the API, and throws what it says. */
export const answerOf =
  (ask: Ask): Ask =>
  async (work) => {
    try {
      return await ask(work);
    } catch (error) {
      throw new Error(`the cluster does not do it: ${reasonOf(error)}`, { cause: error });
    }
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** It was not there. */
export function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 404) throw error;
}
