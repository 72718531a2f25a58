import type { AdbLink } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import { usersMessage } from "@terrarium/player";
import type { MachineConsole } from "@terrarium/runtime";
import type { Logger } from "../platform/log.ts";
import { type OpenCapture, Recorder } from "./captures/recorder.ts";
import type { AppLink } from "./apps/install-app.ts";
import { Display } from "./display/display.ts";
import type { DisplaySource } from "./display/display-source.ts";
import { StreamRate } from "./display/stream-rate.ts";
import type { Farewell } from "./farewell.ts";
import { DeviceGadgets } from "./gadgets/device-gadgets.ts";
import { Miniature, type OpenMiniature } from "./miniatures/miniature.ts";
import type { VideoRoom } from "./replay/recorded-video.ts";
import { Replay } from "./replay/replay.ts";
import { Room } from "./room.ts";
import { RecordedChanges } from "./scenarios/recorded-changes.ts";
import { Showcase } from "./showcase/showcase.ts";
import type { ToolCaptures, ToolLink } from "./tools/tool.ts";
import type { Grant } from "./viewers/visitor.ts";
import type { DevicePipe } from "./tunnels/device-pipe.ts";

/** Enough for a class to watch; each viewer costs its own encryption and sending. */
const MAX_VIEWERS = 32;
/** Of one guest: four of them leave room for the owner. */
const MAX_GUEST_VIEWERS = 6;
/** Of those in pages of others, who take nobody's place. */
const MAX_LINKED = 16;
/** Of all its owners, and as many of all its guests: each may be a program that runs on the device. */
const MAX_TOOLS = 16;
/** Of one guest. */
const MAX_GUEST_TOOLS = 2;
/** How often use of a device is reported. */
const USE_INTERVAL_MS = 1_000;

/** Somebody at the device, as it sees them. */
export interface Guest {
  /** Their uuid. */
  user: string;
  /** They came by a link for pages of others, and are nobody in particular. */
  isLinked?: boolean;
  isOwner: boolean;
  send(message: string): void;
  end(why: Farewell): void;
}

export interface WatchedDeviceDeps {
  source: DisplaySource;
  shell: AdbLink["shell"];
  /** The console of an emulator. */
  console?: MachineConsole | undefined;
  openMiniature: OpenMiniature;
  openShowcase: OpenMiniature;
  /** Connects to its adb, for a tunnel. */
  dial?: (() => DevicePipe) | undefined;
  /** What takes files. */
  files?: AppLink | undefined;
  /** What tools work with. */
  tools?: ToolLink | undefined;
  /** Makes room for a capture of it; without it nothing can be captured. */
  openCapture?: OpenCapture | undefined;
  /** What the videos of this process may take together. */
  videoRoom?: VideoRoom | undefined;
  /** See `ToolCaptures`. */
  onSaving?: (saving: Promise<unknown>) => void;
  clock: Clock;
  log: Logger;
  /** Called while somebody uses the device, at most once a second. */
  onUse?: (() => void) | undefined;
  /** Has another device take its place, where it is shown to everybody. */
  replace: () => Promise<void>;
}

/** One device and everybody who watches it. */
export class WatchedDevice {
  readonly source: DisplaySource;
  readonly display: Display;
  readonly rate: StreamRate;
  readonly gadgets: DeviceGadgets;
  readonly replay: Replay;
  readonly recorded: RecordedChanges;
  readonly miniature: Miniature;
  readonly showcase: Showcase;
  readonly room = new Room();
  readonly dial: (() => DevicePipe) | undefined;
  readonly files: AppLink | undefined;
  readonly tools: ToolLink | undefined;
  readonly #captures: Omit<ToolCaptures, "maker"> | undefined;
  readonly #guests = new Map<number, Guest>();
  readonly #over = new AbortController();
  readonly #onUse: (() => void) | undefined;
  readonly #openTools = new Set<{ guest: string | undefined }>();
  #usedAt = Number.NEGATIVE_INFINITY;
  #entered = 0;
  #people = 0;

  constructor({ source, shell, openMiniature, openShowcase, clock, log, onUse, replace, ...more }: WatchedDeviceDeps) {
    this.source = source;
    this.dial = more.dial;
    this.files = more.files;
    this.tools = more.tools;
    this.display = new Display(source, clock, () => {
      this.replay.forget();
      this.rate.forget();
    });
    this.rate = new StreamRate({ source, viewers: () => this.viewers, clock, over: this.#over.signal });
    this.replay = new Replay({ display: this.display, source, link: more.tools, room: more.videoRoom, clock, log });
    this.recorded = new RecordedChanges(clock);
    this.#onUse = onUse;
    const broadcast = (message: string) => this.#broadcast(message);
    const { console } = more;
    const watched = { shell, console, display: source, broadcast, signal: this.#over.signal, log };
    this.gadgets = new DeviceGadgets(watched, clock);
    const over = this.#over.signal;
    this.miniature = new Miniature({ open: openMiniature, clock, log, over });
    this.showcase = new Showcase({ open: openShowcase, replace, clock, log, over });
    const { openCapture: open, onSaving = () => undefined } = more;
    const isHere = (who: string) => [...this.#guests.values()].some(({ user }) => user === who);
    const { display, room } = this;
    const recorded = { display, source, room, isHere, onSaving, clock, log, over };
    this.#captures = open && { open, onSaving, recorder: new Recorder({ ...recorded, open }) };
  }

  /** Aborts when it is stopped. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  get viewers(): number {
    return this.#guests.size;
  }

  /** Says who watches, each of them once. */
  get whoIsHere(): string {
    const people = [...this.#guests.values()].filter(({ isLinked }) => !isLinked);
    return usersMessage([...new Set(people.map(({ user }) => user))]);
  }

  /** Whether there is no room for another: of those who came by links, of the others, or of this guest. */
  isFull({ user, isLinked = false, isOwner }: Omit<Guest, "send" | "end">): boolean {
    const alike = [...this.#guests.values()].filter((guest) => Boolean(guest.isLinked) === isLinked);
    if (isLinked) return alike.length >= MAX_LINKED;
    const isTooMany = !isOwner && alike.filter((guest) => guest.user === user).length >= MAX_GUEST_VIEWERS;
    return isTooMany || alike.length >= MAX_VIEWERS;
  }

  /** Adds a viewer, notifies the others, and returns its number. */
  enter(guest: Guest): number {
    const number = this.#entered++;
    this.#guests.set(number, guest);
    this.replay.start();
    this.#broadcastWho();
    return number;
  }

  leave(number: number): void {
    const user = this.#guests.get(number)?.user;
    this.#guests.delete(number);
    this.room.leave(number);
    this.rate.left(number);
    if (user !== undefined) this.#captures?.recorder.left(user);
    this.#broadcastWho();
    if (this.#guests.size === 0) this.replay.stop();
  }

  /** Saves what somebody sees; undefined where nothing can be captured. */
  capturesOf({ instanceUuid: instance, user, credential }: Grant): ToolCaptures | undefined {
    if (!this.#captures || credential === undefined) return undefined;
    return { maker: { instance, user, credential }, ...this.#captures };
  }

  /** Makes room for a tool, of a guest's own if given one, and returns how to give it back; undefined if there are too many. */
  enterTool(guest?: string): (() => void) | undefined {
    const isOwners = guest === undefined;
    const alike = [...this.#openTools].filter((each) => (each.guest === undefined) === isOwners);
    if (alike.length >= MAX_TOOLS) return undefined;
    if (!isOwners && alike.filter((each) => each.guest === guest).length >= MAX_GUEST_TOOLS) return undefined;
    const tool = { guest };
    this.#openTools.add(tool);
    return () => void this.#openTools.delete(tool);
  }

  used(now: number): void {
    if (now - this.#usedAt < USE_INTERVAL_MS) return;
    this.#usedAt = now;
    this.#onUse?.();
  }

  /** Disconnects all viewers and releases the display, which its owner closes. */
  stop(why: Farewell): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort(why);
    this.gadgets.release();
    this.replay.stop();
    this.replay.forget();
    this.display.stop();
    for (const guest of this.#guests.values()) guest.end(why);
  }

  #broadcastWho(): void {
    // Somebody with two windows is one person; of those who came by a link, each is another.
    const people = new Set([...this.#guests].map(([number, { user, isLinked }]) => (isLinked ? number : user)));
    if (people.size !== this.#people) this.replay.note({ type: "viewers", count: people.size });
    this.#people = people.size;
    this.#broadcast(this.whoIsHere);
  }

  #broadcast(message: string): void {
    for (const guest of this.#guests.values()) guest.send(message);
  }
}
