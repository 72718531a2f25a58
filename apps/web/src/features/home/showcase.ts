import { systemClock } from "@terrarium/clock";
import { client } from "../../session/client.ts";
import { decodePicture } from "../../shared/miniatures/decode-picture.ts";
import { receiveMiniature } from "../../shared/miniatures/miniature-feed.ts";

/** The service has shown it for as long as it does. */
const OVER = 4243;
/** Why it is not shown: none is shown here, or this visitor asked too often. It may be asked for again later, and not by itself. */
const refusals = ["ROUTE_NOT_FOUND", "TOO_MANY_REQUESTS"] as const;
export type ShowcaseRefusal = (typeof refusals)[number];

/** What a pointer does, in pixels of the picture, as players say it. */
export type PointerEventName = "MOUSE_PRESS" | "MOUSE_MOVE" | "MOUSE_RELEASE";

export interface OpenShowcase {
  send(event: { type: PointerEventName; x: number; y: number }): void;
  close(): void;
}

interface Listeners {
  /** Draw it and close it. */
  onPicture(picture: ImageBitmap): void;
  /** Another device takes the place of the one that was touched. */
  onReplaced(): void;
  /** The service shows it no longer, or refuses to. */
  onOver(refusal?: ShowcaseRefusal): void;
}

/** Receives the pictures of the device that is shown to everybody, and sends touches to it, until it is closed or over. */
export function openShowcase({ onPicture, onReplaced, onOver }: Listeners): OpenShowcase {
  const stop = new AbortController();
  let socket: WebSocket | undefined;
  const end = (refusal?: ShowcaseRefusal) => {
    if (stop.signal.aborted) return;
    stop.abort();
    onOver(refusal);
  };
  void receiveMiniature(
    {
      clock: systemClock,
      access: async (signal) => {
        try {
          const { url, access_token: token } = await client.showcase.open({}, { signal });
          return { url, token };
        } catch (error) {
          const refusal = refusals.find((code) => code === (error as { code?: string }).code);
          if (refusal) end(refusal);
          throw error;
        }
      },
      openSocket: (url) => new WebSocket(url),
      decode: decodePicture,
      onOpen: (opened) => (socket = opened),
      onClose: (code) => (code === OVER ? end() : onReplaced()),
    },
    onPicture,
    stop.signal,
  );
  return {
    send(event) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event));
    },
    close: () => stop.abort(),
  };
}
