import { systemClock } from "@terrarium/clock";
import type { Instance } from "@terrarium/contract";
import { canDecode } from "@terrarium/sdk/display";
import { Listeners } from "../../components/listeners.ts";
import { accessToken } from "../access-token.ts";
import { decodePicture } from "./decode-picture.ts";
import { rememberPicture } from "./latest-pictures.ts";
import { receiveMiniature } from "./miniature-feed.ts";

interface Looked {
  listeners: Listeners;
  count: number;
  stop: AbortController;
}

const looked = new Map<string, Looked>();

/**
 * Looks at a device until the returned function is called: `onPicture` is called for each new `latestPicture`. However many parts of the
 * page look, it is received once.
 */
export function lookAt({ uuid, miniature_url: url }: Instance, onPicture: () => void): () => void {
  if (!canDecode()) return () => undefined;
  const look = looked.get(uuid) ?? { listeners: new Listeners(), count: 0, stop: new AbortController() };
  if (look.count++ === 0) {
    looked.set(uuid, look);
    const show = (picture: ImageBitmap) => {
      rememberPicture(uuid, picture);
      look.listeners.notify();
    };
    void receiveMiniature(
      {
        clock: systemClock,
        access: async (signal) => ({ url, token: await accessToken(uuid, signal) }),
        openSocket: (address) => new WebSocket(address),
        decode: decodePicture,
      },
      show,
      look.stop.signal,
    );
  }
  const forget = look.listeners.subscribe(onPicture);
  return () => {
    forget();
    if (--look.count > 0) return;
    looked.delete(uuid);
    look.stop.abort();
  };
}
