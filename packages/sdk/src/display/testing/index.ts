export { type FakeConnection, fakePlayer } from "./fake-player.ts";
export { aKeyFrame } from "./key-frame.ts";
