import type { Clock } from "@terrarium/clock";
import type { DisplaySession } from "@terrarium/sdk/display";
import { Listeners } from "../../../components/listeners.ts";
import { ToolFailure, type ToolSocket, type ToolState } from "../tools/tool-socket.ts";
import { watchPicture } from "./picture-changes.ts";
import { areInStep, nodeAt, type UiTree } from "./ui-node.ts";

/** What moves is over when nothing has for this long. */
const STILL_MS = 400;
/** What never is still is read all the same. */
const AT_LATEST_MS = 3_000;
/** Input to a device: messages that are only for the others at it do not change its screen. */
const INPUT = /^(?:MOUSE_(?:PRESS|RELEASE)|MULTI_TOUCH|WHEEL|KEYBOARD_|FAKE_MULTI|ROTATE)/;

export interface UiTreeStatus {
  connection: ToolState;
  tree?: UiTree | undefined;
  /** When it was read, by the monotonic clock. */
  readAt?: number | undefined;
  isBusy: boolean;
  /** Why it could not be read the last time. */
  failure?: ToolFailure | undefined;
  /** The id of what is chosen, and of what the pointer or the focus is on. */
  chosen?: string | undefined;
  marked?: string | undefined;
  /** What is pressed on the picture is chosen, and the device does not hear of it. */
  isPicking: boolean;
}

type Session = Pick<DisplaySession, "status" | "subscribe" | "video">;

/**
 * What is on a device's screen, read while somebody wants it: at once, after what is done to the device, and when its picture has
 * changed, each time as soon as that is over. At rest nothing is asked of the device.
 */
export class UiTreeSource {
  readonly #socket: ToolSocket;
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #listeners = new Listeners();
  #status: UiTreeStatus;
  #holders = 0;
  #stop: AbortController | undefined;
  #watched: { video: HTMLVideoElement; stop: AbortController } | undefined;
  /** Since when something has changed, and when it last did. */
  #stirred: { since: number; last: number } | undefined;
  #isAskedAgain = false;

  constructor({ socket, session, clock }: { socket: ToolSocket; session: Session; clock: Clock }) {
    this.#socket = socket;
    this.#session = session;
    this.#clock = clock;
    this.#status = { connection: socket.state, isBusy: false, isPicking: false };
  }

  get status(): UiTreeStatus {
    return this.#status;
  }

  readonly subscribe = this.#listeners.subscribe;

  /** Reads the screen from now on. The answer ends that, unless somebody else still wants it. */
  readonly hold = (): (() => void) => {
    if (this.#holders++ === 0) this.#start();
    return () => {
      if (--this.#holders > 0) return;
      this.#stop?.abort(new Error("nobody reads the screen"));
      this.#socket.stop();
      this.#change({ tree: undefined, chosen: undefined, marked: undefined, isPicking: false, isBusy: false });
    };
  };

  /** What is sent to the device. */
  hear(message: object): void {
    if ("type" in message && INPUT.test(String(message.type))) this.#stir();
  }

  /** Reads it now, or once more if that is under way. */
  async refresh(): Promise<void> {
    this.#isAskedAgain = true;
    if (this.#status.isBusy || this.#status.connection.phase !== "open") return;
    const signal = this.#stop?.signal;
    this.#change({ isBusy: true });
    while (this.#isAskedAgain && !signal?.aborted) {
      this.#isAskedAgain = false;
      await this.#read(signal);
    }
    if (!signal?.aborted) this.#change({ isBusy: false });
  }

  connect(): void {
    this.#socket.start();
  }

  choose(chosen: string | undefined): void {
    this.#change({ chosen, isPicking: false, marked: undefined });
  }

  mark(marked: string | undefined): void {
    if (marked !== this.#status.marked) this.#change({ marked });
  }

  pick(isPicking: boolean): void {
    this.#change({ isPicking, marked: undefined });
  }

  #start(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const leave = [
      this.#socket.subscribe(() => this.#hearSocket()),
      this.#session.subscribe(() => this.#hearSession()),
    ];
    signal.addEventListener("abort", () => {
      for (const each of leave) each();
      this.#watched?.stop.abort();
      this.#watched = undefined;
      this.#stirred = undefined;
    });
    this.#hearSession();
    this.#socket.start();
  }

  async #read(signal: AbortSignal | undefined): Promise<void> {
    try {
      const { tree } = await this.#socket.ask<{ tree: UiTree }>("dump");
      if (signal?.aborted) return;
      const { chosen, tree: before } = this.#status;
      const [was, is] = [before && nodeAt(before.root, chosen), nodeAt(tree.root, chosen)];
      const isSame = was?.class === is?.class && was?.id === is?.id;
      this.#change({
        tree,
        readAt: this.#clock.monotonic(),
        failure: undefined,
        marked: undefined,
        ...(!isSame && { chosen: undefined }),
      });
    } catch (error) {
      if (!signal?.aborted) this.#change({ failure: error instanceof ToolFailure ? error : new ToolFailure("failed") });
    }
  }

  #hearSocket(): void {
    const { state } = this.#socket;
    if (state === this.#status.connection) return;
    this.#change({ connection: state });
    if (state.phase === "open") void this.refresh();
  }

  #hearSession(): void {
    const { video } = this.#session;
    const { tree } = this.#status;
    if (video !== this.#watched?.video) {
      this.#watched?.stop.abort();
      const stop = new AbortController();
      this.#watched = video && { video, stop };
      if (video) watchPicture(video, () => this.#stir(), this.#clock, stop.signal);
      // It may have changed while there was no picture.
      if (video && tree) this.#stir();
    } else if (tree && !areInStep(tree, this.#session.status.picture)) this.#stir();
  }

  /** Something has changed, and may go on to. */
  #stir(): void {
    const signal = this.#stop?.signal;
    if (!signal || signal.aborted) return;
    const now = this.#clock.monotonic();
    if (this.#stirred) {
      this.#stirred.last = now;
      return;
    }
    this.#stirred = { since: now, last: now };
    this.#settle(this.#stirred, signal).then(
      () => this.refresh(),
      () => undefined,
    );
  }

  async #settle(stirred: { since: number; last: number }, signal: AbortSignal): Promise<void> {
    for (;;) {
      const due = Math.min(stirred.last + STILL_MS, stirred.since + AT_LATEST_MS);
      const left = due - this.#clock.monotonic();
      if (left <= 0) break;
      await this.#clock.sleep(left, signal);
    }
    this.#stirred = undefined;
  }

  #change(change: Partial<UiTreeStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#listeners.notify();
  }
}
