import { describe, expect, it } from "vitest";
import { SoundFeed } from "./sound-feed.ts";

function create() {
  const feed = { behind: false };
  const sent: Buffer[] = [];
  const sound = new SoundFeed({ feed, socket: { sendBytes: (bytes) => void sent.push(Buffer.from(bytes)) } });
  const played: bigint[] = [];
  const peer = { playSound: ({ ptsUs }: { ptsUs: bigint }) => void played.push(ptsUs) };
  let ptsUs = 0n;
  const push = (count = 1) => {
    for (let at = 0; at < count; at++)
      sound.push({ ptsUs: (ptsUs += 20_000n), data: new Uint8Array([0xf8, 0xff, 0xfe]) });
  };
  const numbers = () => sent.map((message) => message.readUInt32BE(4));
  return { feed, sound, peer, played, push, sent, numbers };
}

describe("SoundFeed", () => {
  it("sends to a peer that says nothing of it, as the player does", () => {
    const { sound, peer, played, push, sent } = create();
    sound.peer = peer;
    push(2);
    expect([played, sent]).toEqual([[20_000n, 40_000n], []]);
  });

  it("sends to a peer no more when its page does not want it, and again when it does", () => {
    const { sound, peer, played, push } = create();
    sound.peer = peer;
    sound.want(false);
    push();
    sound.want(true);
    push();
    expect(played).toEqual([40_000n]);
  });

  it("sends over the socket only what was asked for", () => {
    const { sound, push, sent } = create();
    push();
    sound.want(true);
    push();
    sound.want(false);
    push();
    expect(sent.map((message) => message.toString("hex"))).toEqual(["02000000000000000000000000009c40f8fffe"]);
  });

  it("sends nothing to a viewer that is behind with the picture", () => {
    const { feed, sound, peer, played, push, sent } = create();
    sound.want(true);
    feed.behind = true;
    push();
    sound.peer = peer;
    push();
    expect([sent, played]).toEqual([[], []]);
    feed.behind = false;
    push();
    expect(played).toHaveLength(1);
  });

  it("sends a frozen socket a second, and no more until all of it was heard", () => {
    const { sound, push, numbers } = create();
    sound.want(true);
    push(500);
    expect(numbers()).toHaveLength(50);
    sound.heard(44);
    push();
    expect(numbers()).toHaveLength(50);
    sound.heard(49);
    push();
    expect(numbers().at(-1)).toBe(50);
  });

  it("believes nobody who has heard what was never sent", () => {
    const { sound, push, numbers } = create();
    sound.want(true);
    push(10);
    sound.heard(4_000_000);
    push(500);
    expect(numbers()).toHaveLength(50);
  });
});
