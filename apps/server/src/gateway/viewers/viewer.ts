import {
  answerMessage,
  candidateMessage,
  connectionMessage,
  type DeviceCommand,
  echoMessage,
  parseEvent,
  parseSignal,
  type PlayerCommand,
  type RoomCommand,
  type Signal,
  videoMessage,
} from "@terrarium/player";
import type { Cleanup } from "../../platform/clean-up.ts";
import { farewells } from "../farewell.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { SoundFeed } from "./sound-feed.ts";
import { SocketVideo } from "./socket-video.ts";
import { type CandidateRule, isUsableCandidate, withUsableCandidates } from "./usable-candidate.ts";
import { PAUSE_MS, VideoFeed } from "./video-feed.ts";
import { ViewerCommands } from "./viewer-commands.ts";
import type { CreatePeer, ViewerPeer } from "./viewer-peer.ts";
import type { ViewerSocket } from "./viewer-socket.ts";
import { type Grant, Visitor, type VisitorDeps } from "./visitor.ts";

/** Between key frames for one viewer: each makes every viewer's stream heavier for a moment. */
const KEY_FRAME_REQUEST_INTERVAL_MS = 500;
/** What waits for a device: a player says three things before. */
const MAX_EARLY = 16;
const forConnecting = new Set<Signal["type"]>(["token", "offer", "candidate"]);
/** What may be done by a link for pages of others that lets the device be touched. */
const inputs = new Set<DeviceCommand["type"]>(["mouse", "wheel", "pinch", "touch", "key"]);

export interface ViewerDeps extends VisitorDeps {
  candidates: CandidateRule;
  createPeer: CreatePeer;
}

/** One browser that watches one device, over the player's signalling protocol. */
export class Viewer extends Visitor {
  readonly #deps: ViewerDeps;
  #device: WatchedDevice | undefined;
  #number: number | undefined;
  #peer: ViewerPeer | undefined;
  #feed: VideoFeed | undefined;
  #socketVideo: SocketVideo | undefined;
  #sound: SoundFeed | undefined;
  #commands: ViewerCommands | undefined;
  #introduced = false;
  #keyFrameAskedAt = Number.NEGATIVE_INFINITY;
  #isOffered = false;
  #hasStill = false;
  /** What is done once the device is there. */
  readonly #early: (() => void)[] = [];

  constructor(socket: ViewerSocket, deps: ViewerDeps) {
    super(socket, deps);
    this.#deps = deps;
  }

  override get units(): { sent: number; skipped: number } {
    return { sent: this.#feed?.sent ?? 0, skipped: this.#feed?.skipped ?? 0 };
  }

  /** Connecting takes a browser as long as a device takes to start. */
  protected override prepare(cleanup: Cleanup): void {
    this.#open(cleanup);
    this.socket.send(connectionMessage());
  }

  protected override serve(device: WatchedDevice, { user, link, role }: Grant, cleanup: Cleanup): void {
    // Device
    const isLinked = link !== undefined;
    const who = { user, isLinked, isOwner: role === "owner" };
    if (device.isFull(who)) throw farewells.tooManyViewers();
    const number = device.enter({
      ...who,
      send: (message) => this.#notify(message),
      end: (why) => this.end(why),
    });
    cleanup.add(() => device.leave(number));
    this.#device = device;
    this.#number = number;

    // Input
    const reply = (message: string) => this.socket.send(message);
    const commands = new ViewerCommands({ device, viewer: number, now: () => this.#deps.clock.monotonic(), reply });
    cleanup.add(() => commands.release());
    this.#commands = commands;

    // Picture
    const isPrepared = this.#peer !== undefined;
    const peer = this.#peer ?? this.#open(cleanup);
    const feed = new VideoFeed({
      track: peer.video,
      clock: this.#deps.clock,
      requestKeyFrame: () => this.#requestKeyFrame(device),
    });
    cleanup.add(device.display.attach((unit) => feed.push(unit)));
    this.#feed = feed;

    // Sound
    const sound = new SoundFeed({ socket: this.socket, feed });
    sound.peer = peer;
    cleanup.add(device.source.watchSound?.((packet) => sound.push(packet)) ?? (() => undefined));
    this.#sound = sound;
    cleanup.add(() => {
      this.#commands = undefined;
      this.#peer = undefined;
    });

    // Watching
    if (!isLinked) device.used(this.#deps.clock.monotonic());
    if (!isPrepared) this.socket.send(connectionMessage());
    for (const act of this.#early.splice(0)) act();
    if (this.#isOffered && feed.isEmpty) device.display.requestKeyFrame();
  }

  override setControl(canControl: boolean): void {
    super.setControl(canControl);
    if (!canControl) this.#commands?.release();
    else if (this.grant) this.#device?.room.lower(this.grant.user);
  }

  /** False when it makes no sense at this point. */
  protected override take(text: string): boolean {
    const signal = parseSignal(text);
    if (!signal) return false;
    const isEarly = this.#peer !== undefined && !this.#device && !forConnecting.has(signal.type);
    return isEarly ? this.#withDevice(() => this.#obey(signal)) : this.#obey(signal);
  }

  #obey(signal: Signal): boolean {
    switch (signal.type) {
      case "token":
        this.giveToken(signal.token);
        return true;
      case "offer":
        return (
          this.budget.allowsOffer(this.#deps.clock.monotonic()) &&
          this.#tryPeer((peer) => this.#acceptOffer(peer, signal.sdp))
        );
      case "candidate":
        if (!this.budget.allowsCandidate()) return false;
        // Browsers also send candidates we cannot use; that is no fault.
        if (!isUsableCandidate(signal.candidate, this.#deps.candidates)) return this.#peer !== undefined;
        return this.#tryPeer((peer) => peer.addCandidate(signal.candidate, signal.mid));
      case "video":
        return this.#showOnSocket();
      case "still":
        return this.#showStill();
      case "seen":
        this.#socketVideo?.seen(signal.number);
        return this.#socketVideo !== undefined;
      case "sound":
        this.#sound?.want(signal.on);
        return this.#sound !== undefined;
      case "heard":
        this.#sound?.heard(signal.number);
        return this.#sound !== undefined;
      case "echo":
        if (this.#socketVideo) this.socket.send(echoMessage(signal.at));
        return this.#socketVideo !== undefined;
      default:
        this.#carryOut(signal.commands);
        return this.#commands !== undefined;
    }
  }

  /** Does it now, or once the device is there. False if too much waits for that. */
  #withDevice(act: () => void): boolean {
    if (this.#device) act();
    else if (this.#early.length < MAX_EARLY) this.#early.push(act);
    else return false;
    return true;
  }

  #open(cleanup: Cleanup): ViewerPeer {
    const peer = this.#connect();
    cleanup.add(() => peer.close());
    return (this.#peer = peer);
  }

  #connect(): ViewerPeer {
    return this.#deps.createPeer({
      onAnswer: (sdp) => this.socket.send(answerMessage(sdp)),
      onCandidate: (candidate, mid) => this.socket.send(candidateMessage(candidate, mid)),
      onEventsOpen: () => this.#withDevice(() => this.#introduce()),
      onEvent: (text) => {
        if (text === undefined) this.hear(text);
        else if (this.mayRead(text.length)) this.#withDevice(() => this.#carryOut(parseEvent(text)));
      },
      onVideoOpen: () => {
        this.#feed?.begin();
        if (this.#feed?.behind) this.#device?.display.requestKeyFrame();
      },
      onKeyFrameRequest: () => this.#device && this.#requestKeyFrame(this.#device),
      onNetworkFull: () => {
        this.#feed?.pause();
        this.#isFull();
        void this.#catchUp(PAUSE_MS);
      },
      onBroken: () => this.end(farewells.mediaLost()),
    });
  }

  /** The key frame to begin with is made while the browser connects. */
  #acceptOffer(peer: ViewerPeer, sdp: string): void {
    peer.acceptOffer(withUsableCandidates(sdp, this.#deps.candidates));
    this.#isOffered = true;
    if (this.#feed?.isEmpty) this.#device?.display.requestKeyFrame();
  }

  /** Shows how the device looks while WebRTC connects, which takes several ways there and back: once, as it is a large answer. */
  #showStill(): boolean {
    if (!this.#feed || this.#hasStill) return false;
    this.#hasStill = true;
    this.#feed.first((unit) => this.socket.sendBytes(videoMessage({ number: 0, ...unit })));
    return true;
  }

  /** Sends the picture over the socket from now on; asked again, begins anew with a key frame. */
  #showOnSocket(): boolean {
    const feed = this.#feed;
    if (!feed || !this.#commands) return false;
    this.#peer?.close();
    this.#peer = undefined;
    this.#socketVideo ??= new SocketVideo({
      socket: this.socket,
      clock: this.#deps.clock,
      onCaughtUp: () => {
        this.#isFull();
        void this.#catchUp(0);
      },
    });
    feed.use(this.#socketVideo);
    if (this.#sound) this.#sound.peer = undefined;
    this.#introduce();
    void this.#catchUp(0);
    return true;
  }

  #isFull(): void {
    if (this.#number !== undefined && !this.over.aborted) this.#device?.rate.full(this.#number);
  }

  #introduce(): void {
    // Strangers hear nothing of people, and nothing that was copied on the device.
    if (this.#introduced || this.grant?.link !== undefined) return;
    this.#introduced = true;
    if (this.#device) this.socket.send(this.#device.whoIsHere);
    void this.#device?.gadgets.introduce((message) => this.socket.send(message));
  }

  /** Sends news, once the player knows the state it changes. */
  #notify(message: string): void {
    if (this.#introduced) this.socket.send(message);
  }

  #tryPeer(use: (peer: ViewerPeer) => void): boolean {
    if (!this.#peer) return false;
    try {
      use(this.#peer);
      return true;
    } catch (error) {
      this.#deps.log.debug({ err: error }, "a viewer's offer or candidate could not be used");
      return false;
    }
  }

  #carryOut(commands: PlayerCommand[] | undefined): void {
    for (const command of commands ?? [])
      if (command.type === "room") this.#speak(command);
      else if (this.#may(command)) this.#commands?.handle(command);
  }

  /** By a link, a device is touched and typed on, and nothing else. */
  #may({ type }: DeviceCommand): boolean {
    return !this.grant?.viewOnly && (this.grant?.link === undefined || inputs.has(type));
  }

  #speak(command: RoomCommand): void {
    const { grant } = this;
    if (!grant || grant.link !== undefined || !this.#device || this.#number === undefined || this.over.aborted) return;
    const send = (message: string) => this.socket.send(message);
    this.#device.room.handle(command, { viewer: this.#number, grant, send, now: this.#deps.clock.monotonic() });
  }

  #requestKeyFrame(device: WatchedDevice): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#keyFrameAskedAt < KEY_FRAME_REQUEST_INTERVAL_MS) return;
    this.#keyFrameAskedAt = now;
    device.display.requestKeyFrame();
  }

  /** Gives a viewer that is behind a key frame, even if the picture has not changed since: after `ms`, or when it may have another. */
  async #catchUp(ms: number): Promise<void> {
    const { clock } = this.#deps;
    const wait = Math.max(ms, this.#keyFrameAskedAt + KEY_FRAME_REQUEST_INTERVAL_MS - clock.monotonic());
    if (wait > 0) await clock.sleep(wait, this.over).catch(() => undefined);
    if (this.#feed?.behind && this.#device && !this.over.aborted) this.#requestKeyFrame(this.#device);
  }
}
