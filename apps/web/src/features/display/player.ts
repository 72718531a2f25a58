import { fetchCode } from "../../components/fetch-code.ts";
import type { Loss } from "./reconnect.ts";

export interface PlayerSetup {
  /** An empty element that the player fills. */
  mount: HTMLElement;
  webrtcUrl: string;
  token: string;
  /** A device's report: its channel and its text. */
  onMessage: (type: string, message: unknown) => void;
  /** Hears of each message to the device, as it is sent. */
  onSent?: ((message: object) => void) | undefined;
}

/** One connection to a device. It is over once and never comes back; a new one is opened instead. */
export interface Player {
  readonly video: HTMLVideoElement;
  readonly over: Promise<Loss>;
  /** Sends to the device; dropped while the channel is not open. */
  send(message: object): void;
  stats(): Promise<RTCStatsReport | undefined>;
  close(): void;
}

export type OpenPlayer = (setup: PlayerSetup) => Promise<Player>;

/** The part of the player's renderer that is used here. Its types leave it out. */
interface Renderer {
  video: HTMLVideoElement;
  peerConnection: RTCPeerConnection | null;
  webRTCWebsocket: WebSocket | null;
  peerConnectionStats?: { destroy(): void };
  sendEvent(message: object): void;
  handleMessage(message: { type?: unknown; code?: unknown; message?: unknown }): void;
  dispatchEvent(name: string, detail: { msg: unknown }): void;
  openWebRTCConnection(): void;
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

/** The picture alone: no poster, no toolbar, no style of the player's own. */
const picture = {
  html: '<div class="gm-wrapper"><div class="gm-video-wrapper"><video class="gm-video" autoplay playsinline disablepictureinpicture></video></div></div>',
  js: "",
  css: "",
};

const off = ["volume", "rotation", "navbar", "power", "fullscreen", "microphone", "fileUpload", "streamBitrate"]
  .concat(["clipboard", "battery", "gps", "capture", "identifiers", "network", "phone", "baseband", "diskIO"])
  .concat(["streamResolution", "gamepad", "biometrics", "keyboardMapping"]);

const optionsOf = (token: string) => ({
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
  turn: [],
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

/** Opens the real player. Its code is large and comes with the first picture. */
export const openPlayer: OpenPlayer = async ({ mount, webrtcUrl, token, onMessage, onSent }) => {
  const loaded: unknown = await fetchCode(() => import("@genymotion/device-web-player"));
  const { DeviceRenderer, DeviceRendererFactory } = ((loaded as { default?: unknown }).default ??
    loaded) as PlayerModule;
  const { promise: over, resolve: end } = Promise.withResolvers<Loss>();

  class OneConnection extends DeviceRenderer {
    #wasOpened = false;
    #hasJoined = false;

    // The player would come back by itself, with an old token and its listeners doubled; the session does it better.
    override openWebRTCConnection(): void {
      if (this.#wasOpened) return end("lost");
      this.#wasOpened = true;
      super.openWebRTCConnection();
    }

    override sendEvent(message: object): void {
      super.sendEvent(message);
      onSent?.(message);
    }

    override dispatchEvent(name: string, detail: { msg: unknown }): void {
      super.dispatchEvent(name, detail);
      const loss = name === "iceConnectionState" && detail.msg === "failed" ? "lost" : losses[name];
      if (loss) end(loss);
    }

    override handleMessage(message: { type?: unknown; code?: unknown; message?: unknown }): void {
      // Capabilities would switch widgets of the player, none of which is here.
      if (message.type === "USERS") this.#join();
      if (message.type !== "CAPABILITIES") super.handleMessage(message);
      if (message.code === "SUCCESS" || message.type === "CAPABILITIES")
        onMessage(String(message.type), message.message);
    }

    /** The service tells of other people's pointers only where a page can show them. The other channel may not be open yet. */
    #join(): void {
      if (this.#hasJoined) return;
      this.#hasJoined = true;
      this.webRTCWebsocket?.send(JSON.stringify({ type: "ROOM", what: "join" }));
    }
  }

  const factory = new DeviceRendererFactory();
  factory.templates["picture"] = picture;
  factory.setupRenderer(mount, webrtcUrl, optionsOf(token), OneConnection);
  const renderer = factory.instances[0];
  if (!renderer) throw new Error("the player set up no renderer");
  return {
    video: renderer.video,
    over,
    send: (message) => renderer.sendEvent(message),
    stats: async () => renderer.peerConnection?.getStats(),
    close: () => {
      renderer.removeAllListeners();
      renderer.peerConnectionStats?.destroy();
      renderer.disconnect();
    },
  };
};
