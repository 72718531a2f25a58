import type { Clock } from "@terrarium/clock";
import {
  answerMessage,
  candidateMessage,
  connectionMessage,
  parseEvent,
  parseSignal,
  type PlayerCommand,
  type Signal,
} from "@terrarium/player";
import { Cleanup } from "../../platform/clean-up.ts";
import type { Logger } from "../../platform/log.ts";
import { Farewell, farewells } from "../farewell.ts";
import type { WatchedDevice } from "../watched-device.ts";
import type { NetworkBudget } from "./network-talk.ts";
import { TalkBudget } from "./talk-budget.ts";
import { type CandidateRule, isUsableCandidate, withUsableCandidates } from "./usable-candidate.ts";
import { PAUSE_MS, VideoFeed } from "./video-feed.ts";
import { ViewerCommands } from "./viewer-commands.ts";
import type { CreatePeer, ViewerPeer } from "./viewer-peer.ts";
import type { ViewerSocket } from "./viewer-socket.ts";

/** The player sends its token as soon as the socket opens. */
const TOKEN_TIMEOUT_MS = 10_000;
/** A socket does not notice by itself that the other side is gone. */
const HEARTBEAT_MS = 15_000;
/** How long the other side may take to agree that the socket is closed. One that means harm never does. */
const CLOSE_TIMEOUT_MS = 2_000;
/** A player never sends one, apart from an occasional empty candidate. */
const MAX_BAD_MESSAGES = 100;
/** A player sends only its token before it is told that it may watch. */
const MAX_ANONYMOUS_MESSAGES = 20;
/** Between key frames for one viewer: each makes every viewer's stream heavier for a moment. */
const KEY_FRAME_REQUEST_INTERVAL_MS = 500;

/** What a token allows. */
export interface Grant {
  instanceUuid: string;
  user: string;
  role: "owner" | "participant";
  /** The session or API token that requested it; the grant ends with it. */
  credential: string;
  /** True: may watch but not touch. */
  viewOnly?: boolean;
}

/** Reads a token: what it grants, or why it grants nothing. Rejects only on a fault of the server. */
export type Authorize = (token: string) => Promise<Grant | "wrong" | "expired" | "ended">;

export interface ViewerDeps {
  instanceUuid: string;
  clock: Clock;
  log: Logger;
  authorize: Authorize;
  /** Called once the token has been accepted. */
  onAuthenticated(): void;
  /** Called when the token was refused. */
  onRefused(reason: "wrong" | "expired"): void;
  candidates: CandidateRule;
  networkTalk: NetworkBudget;
  /** Resolves when the device is there, now or soon; otherwise rejects with a `Farewell` or the signal's reason. */
  findDevice(signal: AbortSignal): Promise<WatchedDevice>;
  createPeer: CreatePeer;
}

/** One browser that watches one device, over the player's signalling protocol. */
export class Viewer {
  readonly #socket: ViewerSocket;
  readonly #deps: ViewerDeps;
  /** Aborts with a `Farewell`, or with another reason when the browser left. */
  readonly #over = new AbortController();
  /** Aborts when the socket has closed. */
  readonly #closed = new AbortController();
  readonly #token = Promise.withResolvers<string>();
  #grant: Grant | undefined;
  #device: WatchedDevice | undefined;
  #peer: ViewerPeer | undefined;
  #feed: VideoFeed | undefined;
  #commands: ViewerCommands | undefined;
  readonly #budget = new TalkBudget();
  #introduced = false;
  #anonymousMessages = 0;
  #badMessages = 0;
  #keyFrameAskedAt = Number.NEGATIVE_INFINITY;
  #isAlive = true;

  constructor(socket: ViewerSocket, deps: ViewerDeps) {
    this.#socket = socket;
    this.#deps = deps;
    socket.listen({
      onText: (text) => this.#onText(text),
      onPong: () => (this.#isAlive = true),
      onClose: () => {
        this.#over.abort(new Error("the viewer left"));
        this.#closed.abort();
      },
    });
  }

  /** Undefined until the token has been read. */
  get grant(): Grant | undefined {
    return this.#grant;
  }

  get units(): { sent: number; skipped: number } {
    return { sent: this.#feed?.sent ?? 0, skipped: this.#feed?.skipped ?? 0 };
  }

  end(why: Farewell): void {
    this.#over.abort(why);
  }

  /** The life of one viewer, from its token until it leaves or is sent away. Set up from top to bottom, undone in reverse. */
  async run(): Promise<void> {
    const cleanup = new Cleanup();
    try {
      // Token
      const grant = await this.#readToken(await this.#tokenInTime());
      this.#grant = grant;
      this.#deps.onAuthenticated();

      // Device
      const device = await this.#deps.findDevice(this.#over.signal);
      this.#over.signal.throwIfAborted();
      if (device.full) throw farewells.tooManyViewers();
      const number = device.enter({ send: (message) => this.#notify(message), end: (why) => this.end(why) });
      cleanup.add(() => device.leave(number));
      this.#device = device;

      // Input
      const reply = (message: string) => this.#socket.send(message);
      const commands = new ViewerCommands({ device, viewer: number, now: () => this.#deps.clock.monotonic(), reply });
      cleanup.add(() => commands.release());
      if (!grant.viewOnly) this.#commands = commands;

      // Picture
      const peer = this.#connect();
      cleanup.add(() => peer.close());
      this.#peer = peer;
      const feed = new VideoFeed({
        track: peer.video,
        clock: this.#deps.clock,
        requestKeyFrame: () => this.#requestKeyFrame(device),
      });
      cleanup.add(device.display.attach((unit) => feed.push(unit)));
      this.#feed = feed;

      // Watching
      device.used(this.#deps.clock.monotonic());
      this.#socket.send(connectionMessage());
      await this.#watchHeartbeat();
    } catch (error) {
      this.#over.abort(error instanceof Farewell ? error : this.#farewellFor(error));
    }
    this.#commands = undefined;
    this.#peer = undefined;
    await cleanup
      .run()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "a viewer left something behind"));
    const reason: unknown = this.#over.signal.reason;
    if (reason instanceof Farewell) await this.#close(reason);
  }

  async #close({ code, message }: Farewell): Promise<void> {
    this.#socket.close(code, message);
    await this.#deps.clock.sleep(CLOSE_TIMEOUT_MS, this.#closed.signal).then(
      () => this.#socket.terminate(),
      () => undefined,
    );
  }

  async #tokenInTime(): Promise<string> {
    const came = new AbortController();
    const signal = AbortSignal.any([came.signal, this.#over.signal]);
    const late = this.#deps.clock.sleep(TOKEN_TIMEOUT_MS, signal).then(() => {
      throw farewells.noToken();
    });
    // Nobody awaits it when the token comes first.
    late.catch(() => undefined);
    return await Promise.race([this.#token.promise, late]).finally(() => came.abort());
  }

  async #readToken(token: string): Promise<Grant> {
    const grant = await this.#deps.authorize(token);
    if (grant === "ended") throw farewells.deviceEnded();
    if (typeof grant === "object" && grant.instanceUuid === this.#deps.instanceUuid) {
      this.#over.signal.throwIfAborted();
      return grant;
    }
    this.#deps.onRefused(grant === "expired" ? "expired" : "wrong");
    throw grant === "expired" ? farewells.expiredToken() : farewells.wrongToken();
  }

  /** Never resolves; rejects when the viewer is over. */
  async #watchHeartbeat(): Promise<never> {
    for (;;) {
      await this.#deps.clock.sleep(HEARTBEAT_MS, this.#over.signal);
      if (this.#isAlive) this.#socket.ping();
      else this.#socket.terminate();
      this.#isAlive = false;
    }
  }

  #connect(): ViewerPeer {
    return this.#deps.createPeer({
      onAnswer: (sdp) => this.#socket.send(answerMessage(sdp)),
      onCandidate: (candidate, mid) => this.#socket.send(candidateMessage(candidate, mid)),
      onEventsOpen: () => this.#introduce(),
      onEvent: (text) => this.#mayRead(text.length) && this.#carryOut(parseEvent(text)),
      onVideoOpen: () => this.#device?.display.requestKeyFrame(),
      onKeyFrameRequest: () => this.#device && this.#requestKeyFrame(this.#device),
      onNetworkFull: () => void this.#catchUp(),
      onBroken: () => this.end(farewells.mediaLost()),
    });
  }

  #introduce(): void {
    if (this.#introduced) return;
    this.#introduced = true;
    void this.#device?.gadgets.introduce((message) => this.#socket.send(message));
  }

  /** Sends news, once the player knows the state it changes. */
  #notify(message: string): void {
    if (this.#introduced) this.#socket.send(message);
  }

  #onText(text: string | undefined): void {
    if (!this.#mayRead(text?.length ?? 0)) return;
    this.#isAlive = true;
    const signal = text === undefined ? undefined : parseSignal(text);
    if (!signal || !this.#take(signal)) this.#countBadMessage();
  }

  /** Whether to read a message. A viewer that sends more than any player does is disconnected. */
  #mayRead(chars: number): boolean {
    if (this.#over.signal.aborted) return false;
    const now = this.#deps.clock.monotonic();
    const allowed =
      this.#budget.allowsMessage(chars, now) &&
      this.#deps.networkTalk.allowsMessage(chars, now) &&
      (this.#grant !== undefined || ++this.#anonymousMessages <= MAX_ANONYMOUS_MESSAGES);
    if (!allowed) this.end(farewells.badMessage());
    return allowed;
  }

  /** False when it makes no sense at this point. */
  #take(signal: Signal): boolean {
    switch (signal.type) {
      case "token":
        this.#token.resolve(signal.token);
        return true;
      case "offer":
        return (
          this.#budget.allowsOffer(this.#deps.clock.monotonic()) &&
          this.#tryPeer((peer) => peer.acceptOffer(withUsableCandidates(signal.sdp, this.#deps.candidates)))
        );
      case "candidate":
        if (!this.#budget.allowsCandidate()) return false;
        // Browsers also send candidates we cannot use; that is no fault.
        if (!isUsableCandidate(signal.candidate, this.#deps.candidates)) return this.#peer !== undefined;
        return this.#tryPeer((peer) => peer.addCandidate(signal.candidate, signal.mid));
      default:
        this.#carryOut(signal.commands);
        return this.#peer !== undefined;
    }
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
    for (const command of commands ?? []) this.#commands?.handle(command);
  }

  #requestKeyFrame(device: WatchedDevice): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#keyFrameAskedAt < KEY_FRAME_REQUEST_INTERVAL_MS) return;
    this.#keyFrameAskedAt = now;
    device.display.requestKeyFrame();
  }

  /** Pauses the viewer's video, then gives it a key frame even if the picture has not changed since. */
  async #catchUp(): Promise<void> {
    this.#feed?.pause();
    await this.#deps.clock.sleep(PAUSE_MS, this.#over.signal).catch(() => undefined);
    if (this.#feed?.behind && this.#device && !this.#over.signal.aborted) this.#requestKeyFrame(this.#device);
  }

  #countBadMessage(): void {
    if (++this.#badMessages > MAX_BAD_MESSAGES) this.end(farewells.badMessage());
  }

  /** Any other error means that the viewer left, or a defect. */
  #farewellFor(error: unknown): Farewell {
    if (!this.#over.signal.aborted) this.#deps.log.error({ err: error }, "a viewer could not be served");
    return farewells.serverTrouble();
  }
}
