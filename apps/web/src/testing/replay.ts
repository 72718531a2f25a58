import { REPLAY_BOX, type ReplayStory } from "@terrarium/contract";

/** An MP4 of 32 x 48 pixels, in base64: ten seconds of red and ten of blue. Made by the gateway from the pictures of `fake-socket.ts`. */
const mp4 =
  "AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAACFbWRhdAAAABhnQsAU2iemoCAgyAAAAwAIAAADABR4oVUAAAAEaM4f" +
  "IAAAABdliIQ6EYoAAhFxwABARjgACDpJ11114AAAABhnQsAU2iemoCAgyAAAAwAIAAADABR4oVUAAAAEaM4fIAAAABZliIQ6EYoA" +
  "Ah7xwABB0jgAF5OuuuvAAAACgG1vb3YAAABsbXZoZAAAAAAAAAAAAAAAAAABX5AAG3dAAAEAAAEAAAAAAAAAAAAAAAABAAAAAAAA" +
  "AAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAIMdHJhawAAAFx0a2hkAAAA" +
  "AwAAAAAAAAAAAAAAAQAAAAAAG3dAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAg" +
  "AAAAMAAAAAABqG1kaWEAAAAgbWRoZAAAAAAAAAAAAAAAAAABX5AAG3dAVcQAAAAAACdoZGxyAAAAAAAAAAB2aWRlAAAAAAAAAAAA" +
  "AAAAU2NyZWVuAAAAAVltaW5mAAAAFHZtaGQAAAABAAAAAAAAAAAAAAAkZGluZgAAABxkcmVmAAAAAAAAAAEAAAAMdXJsIAAAAAEA" +
  "AAEZc3RibAAAAJVzdHNkAAAAAAAAAAEAAACFYXZjMQAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAgADAASAAAAEgAAAAAAAAAAQAA" +
  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABj//wAAAC9hdmNDAULAFP/hABhnQsAU2iemoCAgyAAAAwAIAAADABR4oVUB" +
  "AARozh8gAAAAGHN0dHMAAAAAAAAAAQAAAAIADbugAAAAGHN0c3MAAAAAAAAAAgAAAAEAAAACAAAAHHN0c2MAAAAAAAAAAQAAAAEA" +
  "AAACAAAAAQAAABxzdHN6AAAAAAAAAAAAAAACAAAAPwAAAD4AAAAUc3RjbwAAAAAAAAABAAAAKA==";

const place = { width: 320, height: 480 };

/** Twenty seconds in which somebody swipes, types, goes back, and an app logs an error. */
export const aReplayStory = (more: Partial<ReplayStory> = {}): ReplayStory => ({
  version: 1,
  began_at: "2026-03-02T09:41:00.000Z",
  duration_ms: 20_000,
  events: [
    { at: 1_000, type: "touch", action: "down", finger: 10, x: 160, y: 400, ...place },
    { at: 1_100, type: "touch", action: "move", finger: 10, x: 160, y: 200, ...place },
    { at: 1_200, type: "touch", action: "up", finger: 10, x: 160, y: 100, ...place },
    { at: 3_000, type: "typing", until: 4_000 },
    { at: 5_000, type: "log", text: "03-02 09:41:05.000  1234  1240 I Fern: all is well" },
    { at: 6_000, type: "button", name: "back" },
    { at: 12_000, type: "log", text: "03-02 09:41:12.000  1234  1240 E Fern: a leaf fell" },
    { at: 12_500, type: "app", name: "com.example.fern" },
  ],
  ...more,
});

/** A replay as the gateway sends it. */
export function aReplayFile(story = aReplayStory()): Blob {
  const box = new TextEncoder().encode(`uuid${REPLAY_BOX}${JSON.stringify(story)}`);
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, box.length + 4);
  return new Blob([Uint8Array.from(atob(mp4), (char) => char.charCodeAt(0)), size, box], { type: "video/mp4" });
}
