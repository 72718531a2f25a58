import { REPLAY_BOX } from "@terrarium/contract";
import { box } from "../mp4/boxes.ts";
import { createMp4 } from "../mp4/mp4.ts";
import type { Clip } from "./replay.ts";

/** A clip's MP4 in pieces, with its story as the last one. Each is made when the one before has been taken. */
export function* clipFile({ pictures, story }: Clip): Generator<Uint8Array> {
  const [first] = pictures;
  if (!first) return;
  const written: Uint8Array[] = [];
  const mp4 = createMp4({ ...first.size, write: (bytes) => void written.push(bytes) });
  for (const { unit, at } of pictures) {
    mp4.add({ data: unit.data, isKey: unit.keyFrame, atMs: at });
    yield* written.splice(0);
  }
  mp4.end(story.duration_ms);
  yield* written;
  // Players pass over what they do not know.
  yield box("uuid", Buffer.from(REPLAY_BOX), Buffer.from(JSON.stringify(story)));
}
