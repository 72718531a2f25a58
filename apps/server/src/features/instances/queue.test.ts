import { describe, expect, it } from "vitest";
import { nextInQueue, type Waiting } from "./queue.ts";

const waiting = (uuid: string, more: Partial<Waiting> = {}): Waiting => ({
  uuid,
  organization_uuid: "fern",
  zone: "europe",
  runtime: "simulator",
  made: "phone",
  place: 1,
  is_tried: false,
  is_own_limit: false,
  has_room: true,
  lost: null,
  queued_at: new Date(0),
  ...more,
});
const nextOf = (queue: Waiting[], ours: string[] = []) =>
  nextInQueue(queue, (uuid) => ours.includes(uuid)).map(({ uuid }) => uuid);

describe("nextInQueue", () => {
  it("is the first of each kind", () => {
    const queue = [waiting("a"), waiting("b"), waiting("c", { made: "tablet" }), waiting("d", { zone: "asia" })];
    expect(nextOf(queue)).toEqual(["a", "c", "d"]);
  });

  it("is the next that its limits admit, and that no other gateway tries", () => {
    expect(nextOf([waiting("a", { has_room: false }), waiting("b", { is_tried: true }), waiting("c")])).toEqual(["c"]);
  });

  it("is none of a kind of which the first is tried here: the next would overtake it", () => {
    const queue = [waiting("a", { is_tried: true }), waiting("b"), waiting("c", { made: "tablet" })];
    expect(nextOf(queue, ["a"])).toEqual(["c"]);
    // It is being put back, and the row says so already.
    expect(nextOf([waiting("a"), waiting("b")], ["a"])).toEqual([]);
  });
});
