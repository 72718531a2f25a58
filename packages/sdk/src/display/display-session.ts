import { aborted, type Clock } from "@terrarium/clock";
import type { AppError, IceServer } from "@terrarium/contract";
import type { DisplayStatus, Recorded } from "./display-status.ts";
import { isFinal } from "./final-refusal.ts";
import { holdLastFrame, showBehind, stillOf } from "./last-frame.ts";
import type { Detour, OpenPlayer, Player } from "./player.ts";
import { type Loss, PICTURE_DEADLINE_MS, waitAfter } from "./reconnect.ts";
import { type RoomPointer, RoomPointers } from "./room.ts";
import { readoutOf, sampleOf, type StreamSample } from "./stream-stats.ts";

/** How what one of a device's gadgets reports is read. */
export interface GadgetReader {
  name: string;
  /** Where the device reports it. */
  channels: readonly string[];
  /** Undefined when the report says nothing new. */
  read(report: unknown, before: unknown): unknown;
  /** What was reported is of one connection: with the next it is unknown again. */
  isOfConnection?: boolean | undefined;
}

interface DisplaySessionOptions {
  /** Where the device is shown, unless `access` says it each time. */
  webrtcUrl?: string;
  /** Asks the service for a short-lived token of this device, and who relays its video; rejects with `AppError`. */
  access: (signal: AbortSignal) => Promise<DisplayAccess>;
  /** What is shown until the first picture is there. */
  poster?: (() => ImageBitmap | undefined) | undefined;
  openPlayer: OpenPlayer;
  /** Has the picture come over the socket, without trying WebRTC. */
  detour?: Detour | undefined;
  /** Their reports go into the status. */
  gadgets?: readonly GadgetReader[] | undefined;
  /** Called with each message to the device. */
  onSent?: ((message: object) => void) | undefined;
  clock: Clock;
}

export interface DisplayAccess {
  access_token: string;
  ice_servers?: IceServer[] | undefined;
  webrtc_url?: string | undefined;
  /** Whether the device can be touched; it can if this says nothing. */
  can_control?: boolean | undefined;
}

/**
 * Shows the picture of one device in an element: connects, measures, and reconnects by itself. It ends when the service
 * says that there is nothing to reconnect to.
 */
export class DisplaySession {
  readonly #options: DisplaySessionOptions;
  readonly #listeners = new Set<() => void>();
  readonly #pointers: RoomPointers;
  #status: DisplayStatus = { phase: "connecting" };
  #stop: AbortController | undefined;
  #player: Player | undefined;
  #isHeard = false;
  /** A network that lets no WebRTC through is not asked again by each new connection of this page. */
  #detour: Detour | undefined;

  constructor(options: DisplaySessionOptions) {
    this.#options = options;
    this.#detour = options.detour;
    this.#pointers = new RoomPointers(options.clock, (pointers) => this.#change({ pointers }));
  }

  get status(): DisplayStatus {
    return this.#status;
  }

  /** The element that plays, while there is one with a picture. */
  get video(): HTMLVideoElement | undefined {
    return this.#status.phase === "live" ? this.#player?.video : undefined;
  }

  /** Calls a listener after each change of the status, until the function that it returns is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(container: HTMLElement): void {
    this.stop();
    this.#stop = new AbortController();
    this.#change({
      phase: "connecting",
      retryInSeconds: undefined,
      readout: undefined,
      people: undefined,
      refusal: undefined,
    });
    const { signal } = this.#stop;
    void this.#run(container, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Closes the connection and every timer. `start` may follow. */
  stop(): void {
    this.#stop?.abort(new Error("the display was closed"));
    this.#stop = undefined;
  }

  /** Sends to the device; dropped unless the picture is live. */
  send(message: object): void {
    if (this.#status.phase === "live") this.#player?.send(message);
  }

  /** Lets the device be heard or not, now and in later connections. */
  setSound(on: boolean): void {
    this.#isHeard = on;
    this.#player?.setSound(on);
  }

  async #run(container: HTMLElement, signal: AbortSignal): Promise<void> {
    // An element of its own, so that what ends late takes nothing from what starts next.
    const place = document.createElement("div");
    container.append(place);
    const poster = this.#options.poster?.();
    if (poster) place.append(stillOf(poster, poster));
    try {
      for (;;) {
        const connection = await this.#connect(place, signal);
        signal.throwIfAborted();
        if ("refusal" in connection)
          return this.#change({ phase: "ended", readout: undefined, refusal: connection.refusal });
        await this.#countDown(waitAfter(connection.loss, connection.hadPicture), signal);
      }
    } finally {
      place.remove();
    }
  }

  /** One connection from its token to its loss. */
  async #connect(
    place: HTMLElement,
    signal: AbortSignal,
  ): Promise<{ refusal: AppError } | { loss: Loss; hadPicture: boolean }> {
    const { access, openPlayer, onSent, clock } = this.#options;
    const mount = document.createElement("div");
    const over = new AbortController();
    const closed = AbortSignal.any([signal, over.signal]);
    let player: Player | undefined;
    let hadPicture = false;
    try {
      const { access_token: token, ice_servers: turn, webrtc_url = "" } = await access(signal);
      const { webrtcUrl = webrtc_url } = this.#options;
      signal.throwIfAborted();
      // Whoever is refused has lost no connection, so none is reported as lost.
      if (this.#status.phase === "live") this.#change({ phase: "reconnecting", readout: undefined, retryInSeconds: 0 });
      // Not to be seen, and not to take the focus, before there is a picture.
      mount.inert = true;
      mount.style.visibility = "hidden";
      place.append(mount);
      const onMessage = (type: string, message: unknown) => this.#hear(type, message);
      const onDetour = (detour: Detour | "undecodable") => {
        if (detour !== "undecodable") this.#detour = detour;
        this.#change({ detour });
      };
      const onStill = (frame: VideoFrame) => {
        if (!hadPicture) showBehind(mount, frame);
        frame.close();
      };
      const detour = this.#detour;
      player = await openPlayer({ mount, webrtcUrl, token, turn, onMessage, onStill, onSent, detour, onDetour, clock });
      signal.throwIfAborted();
      this.#player = player;
      player.setSound(this.#isHeard);

      const left = aborted(signal).then(() => "lost" as const);
      const late = clock.sleep(PICTURE_DEADLINE_MS, closed).then(
        () => "lost" as const,
        () => "lost" as const,
      );
      const first = await Promise.race([player.over, left, late, firstPicture(player.video, closed)]);
      if (first !== "picture") return { loss: first, hadPicture };

      hadPicture = true;
      this.#show(place, mount, player.video, closed);
      void this.#measure(player, closed).catch(() => undefined);
      const loss = await Promise.race([player.over, left]);
      if (!signal.aborted) holdLastFrame(place, player.video);
      return { loss, hadPicture };
    } catch (error) {
      if (isFinal(error)) return { refusal: error };
      return { loss: "lost", hadPicture };
    } finally {
      over.abort();
      player?.close();
      if (this.#player === player) this.#player = undefined;
      this.#leaveRoom();
      mount.remove();
    }
  }

  /** The new picture takes the place of the last one of the old connection. */
  #show(place: HTMLElement, mount: HTMLElement, video: HTMLVideoElement, closed: AbortSignal): void {
    const hadFocus = document.activeElement === document.body || document.activeElement?.tagName === "MAIN";
    place.replaceChildren(mount);
    mount.inert = false;
    mount.style.visibility = "";
    // The player prevents the browser from moving the focus to where the mouse is pressed.
    mount.addEventListener("pointerdown", () => mount.focus({ preventScroll: true }));
    if (hadFocus) mount.focus({ preventScroll: true });
    const measureSize = () => {
      const { videoWidth: width, videoHeight: height } = video;
      if (width > 0 && height > 0) this.#change({ picture: { width, height } });
    };
    video.addEventListener("resize", measureSize, { signal: closed });
    this.#change({ phase: "live", retryInSeconds: undefined });
    measureSize();
  }

  async #measure(player: Player, closed: AbortSignal): Promise<void> {
    let before: StreamSample | undefined;
    for (;;) {
      const report = await player.stats();
      const now = report && sampleOf(report);
      const readout = before && now && readoutOf(before, now);
      closed.throwIfAborted();
      if (readout) this.#change({ readout });
      before = now;
      await this.#options.clock.sleep(1_000, closed);
    }
  }

  async #countDown(waitMs: number, signal: AbortSignal): Promise<void> {
    const phase = this.#status.picture ? "reconnecting" : "connecting";
    for (let left = Math.ceil(waitMs / 1_000); left > 0; left--) {
      this.#change({ phase, readout: undefined, retryInSeconds: left });
      await this.#options.clock.sleep(1_000, signal);
    }
    if (waitMs > 0) this.#change({ phase, readout: undefined, retryInSeconds: 0 });
  }

  #hear(type: string, message: unknown): void {
    for (const { name, channels, read } of this.#options.gadgets ?? []) {
      const state = channels.includes(type) ? read(message, this.#status.gadgets?.[name]) : undefined;
      if (state !== undefined) this.#change({ gadgets: { ...this.#status.gadgets, [name]: state } });
    }
    if (type === "USERS" && Array.isArray(message))
      this.#change({ people: message.filter((user) => typeof user === "string") });
    if (type === "ROOM") this.#hearRoom(message as RoomMessage);
    if (type === "CAPABILITIES" && typeof message === "object" && message !== null)
      this.#change({ capabilities: message as Record<string, boolean>, gadgets: this.#lasting() });
  }

  /** What is true beyond one connection, of which the device first says what it can do. */
  #lasting(): DisplayStatus["gadgets"] {
    const { gadgets } = this.#status;
    const short = (this.#options.gadgets ?? []).flatMap(({ name, isOfConnection }) => (isOfConnection ? [name] : []));
    return gadgets && Object.fromEntries(Object.entries(gadgets).filter(([name]) => !short.includes(name)));
  }

  #hearRoom(message: RoomMessage): void {
    if (message.what === "pointer") this.#pointers.place(message);
    if (message.what === "hands") this.#change({ hands: message.users });
    if (message.what === "recording") {
      const recordingSince = message.ms === undefined ? undefined : this.#options.clock.monotonic() - message.ms;
      this.#change({ recordingSince });
    }
    if (message.what === "recorded") this.#change({ recorded: { why: message.why, isKept: message.isKept } });
    if (message.what === "declined") this.#change({ declines: (this.#status.declines ?? 0) + 1 });
  }

  /** The service takes down the hand of whoever is gone. */
  #leaveRoom(): void {
    this.#pointers.clear();
    this.#change({ hands: undefined, recordingSince: undefined });
  }

  #change(change: Partial<DisplayStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** What the service says of the others at a device. */
type RoomMessage =
  | ({ what: "pointer" } & Partial<RoomPointer>)
  | { what: "hands"; users: readonly string[] }
  | { what: "declined" }
  | { what: "recording"; ms?: number }
  | ({ what: "recorded" } & Recorded);

function firstPicture(video: HTMLVideoElement, closed: AbortSignal): Promise<"picture"> {
  return new Promise((resolve) => {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) resolve("picture");
    video.addEventListener("loadeddata", () => resolve("picture"), { once: true, signal: closed });
  });
}
