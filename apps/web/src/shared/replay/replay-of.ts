import { REPLAY_BOX, type ReplayStory } from "@terrarium/contract";

export interface Replay {
  story: ReplayStory;
  /** An MP4 with the picture alone. */
  video: Blob;
}

/** A box's size, and the name of its type. */
const HEADER_BYTES = 8;

/** Takes a replay's file apart; undefined if it is not a replay. */
export async function replayOf(file: Blob): Promise<Replay | undefined> {
  const bytes = await file.arrayBuffer();
  const view = new DataView(bytes);
  const textAt = (at: number, length: number) => new TextDecoder().decode(new Uint8Array(bytes, at, length));
  for (let at = 0; at + HEADER_BYTES <= bytes.byteLength;) {
    const size = view.getUint32(at);
    if (size < HEADER_BYTES || at + size > bytes.byteLength) return undefined;
    const content = at + HEADER_BYTES + REPLAY_BOX.length;
    if (textAt(at + 4, 4) === "uuid" && content <= at + size && textAt(at + 8, REPLAY_BOX.length) === REPLAY_BOX) {
      const story = JSON.parse(textAt(content, at + size - content)) as ReplayStory;
      return { story, video: file.slice(0, at, "video/mp4") };
    }
    at += size;
  }
  return undefined;
}
