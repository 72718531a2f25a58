import { type KubernetesListObject, ListWatch, type V1Pod, Watch } from "@kubernetes/client-node";
import { abortable, type Clock } from "@terrarium/clock";
import { type Cluster, reasonOf, unlessGone } from "./cluster.ts";

const RETRY_MS = 2_000;

export interface PodWatchOptions {
  cluster: Cluster;
  /** Of the Pods that are watched. */
  selector: string;
  clock: Clock;
  log: (line: string) => void;
  onChange: (pod: V1Pod, isGone: boolean) => void;
}

/** One of the library's rejects before it connects, for instance when no token can be had, and nobody hears of it. */
class HeardWatch extends Watch {
  override watch(...[path, query, callback, done]: Parameters<Watch["watch"]>): Promise<AbortController> {
    return super.watch(path, query, callback, done).catch((error: unknown) => {
      done(error);
      return new AbortController();
    });
  }
}

/** Watches how Pods change. It may be behind: whoever must be sure asks the API. */
export class PodWatch {
  readonly #options: PodWatchOptions;
  readonly #waiting = new Set<{ uid: string | undefined; hear: (pod: V1Pod | undefined) => void }>();
  readonly #informer: ListWatch<V1Pod>;
  readonly #end = new AbortController();
  #running: Promise<void> | undefined;
  #problem: string | undefined;

  constructor(options: PodWatchOptions) {
    this.#options = options;
    const { cluster, selector, clock } = options;
    const { namespace, core } = cluster;
    const list = async () => {
      const found = await core.listNamespacedPod({ namespace, labelSelector: selector });
      this.#say(undefined);
      return found as KubernetesListObject<V1Pod>;
    };
    this.#informer = new ListWatch(
      `/api/v1/namespaces/${namespace}/pods`,
      new HeardWatch(cluster.config),
      list,
      false,
      selector,
      undefined,
      // A quiet cluster is watched without gaps.
      { delayFn: (ms) => clock.sleep(Math.min(ms, RETRY_MS), this.#end.signal).catch(() => undefined) },
    );
    for (const verb of ["add", "update"] as const) this.#informer.on(verb, (pod) => this.#changed(pod, false));
    this.#informer.on("delete", (pod) => this.#changed(pod, true));
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#end.abort(new Error("the runtime was closed"));
    await this.#informer.stop();
    await this.#running;
    // What was on its way has opened a watch meanwhile.
    await this.#informer.stop();
  }

  /**
   * Resolves with what `look` makes of a Pod as soon as it makes something of it. It gets undefined when the Pod is gone.
   * @throws the signal's reason; what `look` throws
   */
  async until<T>(
    { metadata }: V1Pod,
    look: (pod: V1Pod | undefined) => T | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    const { uid, name = "" } = metadata ?? {};
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const hear = (pod: V1Pod | undefined) => {
      try {
        const seen = look(pod);
        if (seen !== undefined) resolve(seen);
      } catch (error) {
        reject(error);
      }
    };
    const waiting = { uid, hear };
    this.#waiting.add(waiting);
    try {
      // It may have become so before anybody listened.
      const asked = this.read(name).then((pod) => hear(pod?.metadata?.uid === uid ? pod : undefined));
      asked.catch(() => undefined);
      return await abortable(promise, AbortSignal.any([signal, this.#end.signal]));
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** As the API says; undefined if there is none. */
  async read(name: string): Promise<V1Pod | undefined> {
    const { core, namespace } = this.#options.cluster;
    return core.readNamespacedPod({ namespace, name }).catch(unlessGone);
  }

  #changed(pod: V1Pod, isGone: boolean): void {
    for (const { uid, hear } of this.#waiting) if (uid === pod.metadata?.uid) hear(isGone ? undefined : pod);
    this.#options.onChange(pod, isGone);
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#end.signal.aborted) {
      const failed = Promise.withResolvers<unknown>();
      const hear = failed.resolve;
      this.#informer.on("error", hear);
      await this.#informer.start().catch(hear);
      const error = await abortable(failed.promise, this.#end.signal).catch(() => undefined);
      this.#informer.off("error", hear);
      if (error !== undefined) this.#say(`the cluster does not tell of its Pods: ${reasonOf(error)}`);
      await clock.sleep(RETRY_MS, this.#end.signal).catch(() => undefined);
    }
  }

  #say(problem: string | undefined): void {
    if (problem !== this.#problem) this.#options.log(problem ?? "the cluster tells of its Pods again");
    this.#problem = problem;
  }
}
