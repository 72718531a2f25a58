import { type Clock, systemClock } from "@terrarium/clock";
import { basePath } from "@terrarium/contract";
import { type ClientOptions, createClient } from "../client.ts";
import { errorOf } from "../errors.ts";
import { type DeviceKey, keyMessages, pressMessage, releaseMessage } from "./device-keys.ts";
import { type DisplayAccess, DisplaySession } from "./display-session.ts";
import type { DisplayStatus } from "./display-status.ts";
import { stylePictures } from "./picture-style.ts";
import { type OpenPlayer, playerFrom } from "./player.ts";

export interface DisplayOptions extends Pick<ClientOptions, "baseUrl" | "token" | "apiToken" | "fetch"> {
  /** The device: its uuid. */
  instance: string;
  /** Nothing that is done on the picture reaches the device. What a token allows, the service decides. */
  isViewOnly?: boolean;
  /** Has the picture come over the WebSocket, without trying WebRTC. */
  detour?: "asked" | undefined;
  /** Called with each change of what is known about the picture and its connection. */
  onStatus?: ((status: DisplayStatus) => void) | undefined;
  /** Closes the display. */
  signal?: AbortSignal | undefined;
  openPlayer?: OpenPlayer;
  clock?: Clock;
}

/** A device's live picture. */
export interface Display {
  readonly status: DisplayStatus;
  /** The element that plays, while there is a picture. */
  readonly video: HTMLVideoElement | undefined;
  /** Calls a listener after each change of the status, until the function that it returns is called. */
  subscribe(listener: () => void): () => void;
  /** Presses and releases a button of the device. */
  press(key: DeviceKey): void;
  /** Lets the device be heard, once somebody has touched the page, or not. It is silent at first. */
  setSound(on: boolean): void;
  /** Closes the connection and takes the picture away. */
  close(): void;
}

/** Its code is large and comes with the first picture. */
const openRealPlayer = playerFrom(() => import("@genymotion/device-web-player"));

/**
 * Shows a device's live picture in an element, as large as that allows, and takes touches, wheel and keys on it: over WebRTC, or over a
 * WebSocket where the network lets no WebRTC through within 4 s. It comes back by itself when the connection was lost, and while the device
 * starts. The status says `ended`, with the service's `refusal`, when there is nothing to come back to.
 */
export function openDisplay(element: HTMLElement, { instance, ...options }: DisplayOptions): Display {
  const client = createClient({ ...options, retries: 0 });
  return showDisplay(element, options, async (signal) => {
    const params = { uuid: instance };
    const [{ webrtc_url }, access] = await Promise.all([
      client.instances.get({ params }, { signal }),
      client.instances.accessToken({ body: { instance_uuid: instance } }, { signal }),
    ]);
    return { ...access, webrtc_url };
  });
}

/**
 * Likewise, with a link that the device's owner has made for pages of others, in place of a token: `https://devices.example.com/embed/KEY`.
 * The page's origin must be one that the device's organization lists.
 */
export function openLinkedDisplay(
  element: HTMLElement,
  { link, fetch: send = fetch, ...options }: LinkedDisplayOptions,
): Display {
  const { href, origin } = new URL(link, location.href);
  const [, base = origin, key = ""] = /^(.*)\/embed\/([\w-]+)$/.exec(href) ?? [];
  return showDisplay(element, options, async (signal) => {
    const headers = { "content-type": "application/json" };
    const asked = { method: "POST", headers, body: JSON.stringify({ key }), signal };
    const response = await send(`${base}${basePath}/v1/embed-links/open`, asked);
    if (!response.ok) throw await errorOf(response);
    return (await response.json()) as DisplayAccess;
  });
}

type ShowOptions = Pick<DisplayOptions, "isViewOnly" | "detour" | "onStatus" | "signal" | "openPlayer" | "clock">;

export interface LinkedDisplayOptions extends ShowOptions, Pick<DisplayOptions, "fetch"> {
  link: string;
}

/** What opens the display, `access`, is asked for each connection. */
function showDisplay(
  element: HTMLElement,
  options: ShowOptions,
  access: (signal: AbortSignal) => Promise<DisplayAccess>,
): Display {
  const { isViewOnly = false, detour, onStatus, signal, openPlayer = openRealPlayer, clock = systemClock } = options;
  const room = document.createElement("div");
  const picture = document.createElement("div");
  room.className = "terrarium-display";
  picture.className = "terrarium-picture";
  picture.inert = isViewOnly;
  room.append(picture);
  element.append(room);
  stylePictures(element.getRootNode());

  const session = new DisplaySession({
    access: async (signal) => {
      const opened = await access(signal);
      picture.inert = isViewOnly || opened.can_control === false;
      return opened;
    },
    openPlayer,
    detour,
    clock,
  });
  session.subscribe(() => {
    const { phase, picture: size } = session.status;
    picture.style.opacity = phase === "reconnecting" ? "0.4" : "1";
    if (size) picture.style.setProperty("--picture-ratio", String(size.width / size.height));
    onStatus?.(session.status);
  });
  picture.addEventListener("keydown", (event) => {
    // The player stops the keys that it sends itself; these are the others. F6 leaves the picture.
    if (event.key === "F6") return;
    event.stopPropagation();
    const messages = keyMessages(event);
    if (messages) event.preventDefault();
    for (const message of messages ?? []) session.send(message);
  });
  const close = () => {
    session.stop();
    room.remove();
    signal?.removeEventListener("abort", close);
  };
  if (signal?.aborted) close();
  else {
    signal?.addEventListener("abort", close);
    session.start(picture);
  }
  return {
    get status() {
      return session.status;
    },
    get video() {
      return session.video;
    },
    subscribe: session.subscribe,
    press(key) {
      session.send(pressMessage(key));
      session.send(releaseMessage(key));
    },
    setSound: (on) => session.setSound(on),
    close,
  };
}
