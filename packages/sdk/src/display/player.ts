import type { Clock } from "@terrarium/clock";
import type { IceServer } from "@terrarium/contract";
import { canDecode } from "./h264.ts";
import { type Loss, WEBRTC_DEADLINE_MS } from "./reconnect.ts";
import { onceTouched } from "./once-touched.ts";
import { canHear, SocketSound } from "./socket-sound.ts";
import { decodeStill, SocketVideo } from "./socket-video.ts";

/** Why the picture does not come over WebRTC: no network lets it through, the browser has none, or somebody wants it so. */
export type Detour = "blocked" | "absent" | "asked";

export interface PlayerSetup {
  /** An empty element that the player fills. */
  mount: HTMLElement;
  webrtcUrl: string;
  token: string;
  /** Who relays its video where no direct way is found. */
  turn?: IceServer[] | undefined;
  /** A device's report: its channel and its text. */
  onMessage: (type: string, message: unknown) => void;
  /** How the device looks while WebRTC connects. Who hears it closes the frame. */
  onStill: (frame: VideoFrame) => void;
  /** Has the picture come over the socket at once. */
  detour?: Detour | undefined;
  /** The picture comes over the socket from now on, or should but this browser cannot decode it. */
  onDetour: (why: Detour | "undecodable") => void;
  clock: Clock;
  /** Called with each message to the device, as it is sent. */
  onSent?: ((message: object) => void) | undefined;
}

/** One connection to a device. It is over once and never comes back; a new one is opened instead. */
export interface Player {
  readonly video: HTMLVideoElement;
  readonly over: Promise<Loss>;
  /** Sends to the device; dropped while the channel is not open. */
  send(message: object): void;
  /** Lets the device be heard, once somebody has touched the page, or not. It is silent at first. */
  setSound(on: boolean): void;
  /** As of an `RTCStatsReport`. */
  stats(): Promise<Iterable<[string, unknown]> | undefined>;
  close(): void;
}

export type OpenPlayer = (setup: PlayerSetup) => Promise<Player>;

/** The part of the player's renderer that is used here. Its types leave it out. */
interface Renderer {
  video: HTMLVideoElement;
  peerConnection: RTCPeerConnection | null;
  webRTCWebsocket: WebSocket | null;
  peerConnectionStats?: { timeoutID: number };
  /** What has come over the peer connection, if anything will. */
  stream: MediaStream | null;
  touchEvents?: { addTouchCallbacks(): void };
  useWebsocketAsDataChannel: boolean;
  sendEvent(message: object): void;
  handleMessage(message: { type?: unknown; code?: unknown; message?: unknown }): void;
  dispatchEvent(name: string, detail: { msg: unknown }): void;
  openWebRTCConnection(): void;
  createPeerConnection(): void;
  onWebSocketMessage(event: { data?: unknown }): void;
  removeAllListeners(): void;
  disconnect(): void;
}
type RendererClass = new (root: HTMLElement, options: object) => Renderer;
interface Factory {
  templates: Record<string, { html: string; js: string; css: string }>;
  instances: Renderer[];
  setupRenderer(root: HTMLElement, url: string, options: object, renderer: RendererClass): unknown;
}
interface PlayerModule {
  DeviceRenderer: RendererClass;
  DeviceRendererFactory: new () => Factory;
}

/** The first byte of a binary message with sound. */
const SOUND = 2;

/** The picture alone, without sound, which browsers may not start by themselves: no poster, no toolbar, no style of the player's own. */
const picture = {
  html: '<div class="gm-wrapper"><div class="gm-video-wrapper"><video class="gm-video" autoplay muted playsinline disablepictureinpicture></video></div></div>',
  js: "",
  css: "",
};

const off = ["volume", "rotation", "navbar", "power", "fullscreen", "microphone", "fileUpload", "streamBitrate"]
  .concat(["clipboard", "battery", "gps", "capture", "identifiers", "network", "phone", "baseband", "diskIO"])
  .concat(["streamResolution", "gamepad", "biometrics", "keyboardMapping"]);

const optionsOf = (token: string, turn: IceServer[] = []) => ({
  ...Object.fromEntries(off.map((widget) => [widget, false])),
  template: "picture",
  token,
  touch: true,
  mouse: true,
  keyboard: true,
  // Without its media manager the player throws on each press of the mouse; the camera itself has no button here.
  camera: true,
  // Lists: an object with an empty list would be filled with the maker's servers.
  stun: [],
  turn,
});

/** The window events by which the player says that its socket closed. */
const losses: Readonly<Record<string, Loss>> = {
  closeConnection: "lost",
  closeConnectionUnavailable: "lost",
  closeServerShutdown: "lost",
  defaultCloseConnection: "lost",
  closeWrongToken: "token",
  closeNoLongerValidToken: "token",
};

/** Opens the real player with its module, whose code is large: `load` is called for each connection. */
export const playerFrom =
  (load: () => Promise<unknown>): OpenPlayer =>
  async (setup) => {
    const { mount, webrtcUrl, token, turn, onMessage, onStill, onSent, detour, onDetour, clock } = setup;
    const loaded = await load();
    const { DeviceRenderer, DeviceRendererFactory } = ((loaded as { default?: unknown }).default ??
      loaded) as PlayerModule;
    const { promise: over, resolve: end } = Promise.withResolvers<Loss>();
    const closed = new AbortController();

    class OneConnection extends DeviceRenderer {
      #wasOpened = false;
      #isConnected = false;
      socketVideo: SocketVideo | undefined;
      readonly socketSound = new SocketSound((message) => this.#sendMessage(message));
      #hasJoined = false;
      #isHeard = false;

      // The player would come back by itself, with an old token and its listeners doubled; the session does it better.
      override openWebRTCConnection(): void {
        if (this.#wasOpened) return end("lost");
        this.#wasOpened = true;
        super.openWebRTCConnection();
      }

      override createPeerConnection(): void {
        if (detour && canDecode()) return this.#takeDetour(detour);
        try {
          super.createPeerConnection();
        } catch {
          return this.#takeDetour("absent");
        }
        if (canDecode()) this.#sendMessage({ type: "VIDEO", still: true });
        const peer = this.peerConnection;
        peer?.addEventListener("connectionstatechange", () => {
          this.#isConnected ||= peer.connectionState === "connected";
        });
        clock.sleep(WEBRTC_DEADLINE_MS, closed.signal).then(
          () => !this.#isConnected && this.#takeDetour("blocked"),
          () => undefined,
        );
      }

      override onWebSocketMessage(event: { data?: unknown }): void {
        if (event.data instanceof ArrayBuffer) {
          if (new Uint8Array(event.data)[0] === SOUND) this.socketSound.take(event.data);
          else if (this.socketVideo) this.socketVideo.take(event.data);
          // Without it one waits a little longer for the picture.
          else decodeStill(event.data).then(onStill, () => undefined);
        } else super.onWebSocketMessage(event);
      }

      override sendEvent(message: object): void {
        super.sendEvent(message);
        onSent?.(message);
      }

      override dispatchEvent(name: string, detail: { msg: unknown }): void {
        super.dispatchEvent(name, detail);
        const hasFailed = name === "iceConnectionState" && detail.msg === "failed";
        if (hasFailed && !this.#isConnected && canDecode()) return this.#takeDetour("blocked");
        const loss = hasFailed ? "lost" : losses[name];
        if (loss) end(loss);
      }

      override handleMessage(message: { type?: unknown; code?: unknown; message?: unknown; at?: unknown }): void {
        if (message.type === "VIDEO") return this.socketVideo?.answered(message.at);
        // Capabilities would switch widgets of the player, none of which is here.
        if (message.type === "USERS") this.#join();
        if (message.type !== "CAPABILITIES") super.handleMessage(message);
        if (message.code === "SUCCESS" || message.type === "CAPABILITIES")
          onMessage(String(message.type), this.#audible(message.message));
      }

      /** Has the service send sound or not, and plays it. What comes over the socket is sent only where this browser decodes it. */
      setSound(on: boolean): void {
        this.#isHeard = on;
        const isOverSocket = this.socketVideo !== undefined;
        const isOn = on && (!isOverSocket || canHear());
        if (this.#hasJoined) this.#sendMessage({ type: "SOUND", on: isOn });
        this.socketSound.turn(isOn && isOverSocket);
        if (!on || this.socketVideo) this.video.muted = true;
        // A video that is unmuted before would be stopped.
        else onceTouched(closed.signal, () => (this.video.muted = !this.#isHeard || this.socketVideo !== undefined));
      }

      /** What a device can do that comes over the socket: to be heard only where this browser decodes it. */
      #audible(message: unknown): unknown {
        if (!this.socketVideo || canHear() || typeof message !== "object" || message === null) return message;
        return "sound" in message ? { ...message, sound: false } : message;
      }

      /** Its own `destroy` would leave statistics that are on their way without the renderer they are for. */
      stopStats(): void {
        clearTimeout(this.peerConnectionStats?.timeoutID);
      }

      #sendMessage(message: object): void {
        this.webRTCWebsocket?.send(JSON.stringify(message));
      }

      /** Picture and input go over the socket from now on. Without a decoder it stays with WebRTC, which may be late. */
      #takeDetour(why: Detour): void {
        if (this.socketVideo) return;
        if (!canDecode()) return onDetour("undecodable");
        this.stopStats();
        this.peerConnection?.close();
        this.peerConnection = null;
        // The player listens to fingers from when a stream is there.
        if (!this.stream) this.touchEvents?.addTouchCallbacks();
        this.useWebsocketAsDataChannel = true;
        this.socketVideo = new SocketVideo(
          (message) => super.sendEvent(message),
          () => end("lost"),
        );
        this.video.muted = true;
        this.video.srcObject = this.socketVideo.stream;
        onDetour(why);
      }

      /** The service sends other people's pointers only to pages that can show them. The other channel may not be open yet. */
      #join(): void {
        if (this.#hasJoined) return;
        this.#hasJoined = true;
        this.#sendMessage({ type: "ROOM", what: "join" });
        this.setSound(this.#isHeard);
      }
    }

    const factory = new DeviceRendererFactory();
    factory.templates["picture"] = picture;
    factory.setupRenderer(mount, webrtcUrl, optionsOf(token, turn), OneConnection);
    const renderer = factory.instances[0] as OneConnection | undefined;
    if (!renderer) throw new Error("the player set up no renderer");
    return {
      video: renderer.video,
      over,
      send: (message) => renderer.sendEvent(message),
      setSound: (on) => renderer.setSound(on),
      stats: async () => renderer.socketVideo?.stats() ?? renderer.peerConnection?.getStats(),
      close: () => {
        closed.abort();
        renderer.socketVideo?.close();
        renderer.socketSound.close();
        renderer.removeAllListeners();
        renderer.stopStats();
        renderer.disconnect();
      },
    };
  };
