import type { StreamShape } from "../display/display-source.ts";
import type { OpenGadget } from "./gadget.ts";

/** Less shows nothing any more, and more than that is nothing that anybody sees. */
const LEAST_BIT_RATE = 250_000;
const MOST_BIT_RATE = 20_000_000;
const LEAST_AUDIO_BIT_RATE = 16_000;
const MOST_AUDIO_BIT_RATE = 256_000;
const LEAST_SHORT_SIDE = 120;

/** How large the picture is and how good, and the sound. All viewers share one stream: what anybody sets is so for all, until nobody watches. */
export const openStream: OpenGadget = ({ display }) => {
  /** Of the screen itself, which no stream enlarges. */
  const { width, height } = display.size;
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  const reshape = (change: StreamShape) => display.reshape?.(change);
  return {
    channels: ["bitrate", "size"],
    handle(command) {
      if (command.type === "size") {
        const wanted = Math.max(LEAST_SHORT_SIDE, command.shortSidePx);
        const isWhole = command.shortSidePx === 0 || wanted >= shorter;
        reshape({ maxSize: isWhole ? undefined : Math.round((wanted * longer) / shorter) });
      }
      if (command.type === "bitrate") {
        const wanted = Math.min(MOST_BIT_RATE, Math.max(LEAST_BIT_RATE, command.videoKbps * 1_000));
        const wantedOfSound = Math.min(MOST_AUDIO_BIT_RATE, Math.max(LEAST_AUDIO_BIT_RATE, command.audioBps));
        reshape({
          videoBitRate: command.videoKbps === 0 ? undefined : wanted,
          audioBitRate: command.audioBps === 0 ? undefined : wantedOfSound,
        });
      }
    },
  };
};
