import { TestClock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DisplaySession } from "./display-session.ts";
import { fakePlayer } from "./testing/fake-player.ts";

// The test clock settles promises by Node's own means, which a browser spells differently.
vi.stubGlobal("setImmediate", (run: () => void) => setTimeout(run));

const started: DisplaySession[] = [];
afterEach(() => {
  for (const session of started.splice(0)) session.stop();
});

const gadgets = [
  {
    name: "battery",
    channels: ["battery"],
    read: (report: unknown) => (typeof report === "object" ? (report ?? undefined) : undefined),
  },
  {
    name: "disk",
    channels: ["diskio"],
    read: (report: unknown, before: unknown) => [...((before as unknown[] | undefined) ?? []), report],
    isOfConnection: true,
  },
];

function open(options: Parameters<typeof fakePlayer>[0] = {}, poster?: () => ImageBitmap | undefined) {
  const clock = new TestClock(0);
  const { connections, openPlayer } = fakePlayer(options);
  const turn = [{ urls: ["turn:turn.test"], username: "1:robin", credential: "c" }];
  const access = vi.fn(async () => ({ access_token: `token ${access.mock.calls.length}`, ice_servers: turn }));
  const session = new DisplaySession({ webrtcUrl: "wss://device.test", access, openPlayer, gadgets, clock, poster });
  const container = document.body.appendChild(document.createElement("div"));
  started.push(session);
  session.start(container);
  const phase = (wanted: string) => vi.waitFor(() => expect(session.status.phase).toBe(wanted));
  const connection = (index: number) => {
    const found = connections[index];
    if (!found) throw new Error(`there is no connection ${index}`);
    return found;
  };
  return { clock, connections, connection, access, session, container, phase };
}

describe("a display session", () => {
  it("is live with the first picture, in the picture's size", async () => {
    const { session, connection, phase, container } = open();
    expect(session.status).toMatchObject({ phase: "connecting" });
    await phase("live");
    expect(session.status.picture).toEqual({ width: 180, height: 320 });
    expect(connection(0)).toMatchObject({ token: "token 1", webrtcUrl: "wss://device.test" });
    expect(connection(0).turn).toEqual([{ urls: ["turn:turn.test"], username: "1:robin", credential: "c" }]);
    expect(container.querySelectorAll("video")).toHaveLength(1);
  });

  it("shows its poster, if there is one, until the first picture", async () => {
    const poster = await createImageBitmap(new ImageData(36, 64));
    const { phase, connection, container } = open({ hasPicture: () => false }, () => poster);
    const stills = () => [...container.querySelectorAll("canvas")].map(({ width, height }) => [width, height]);
    expect(stills()).toEqual([[36, 64]]);
    await vi.waitFor(() => expect(container.querySelectorAll("video")).toHaveLength(1));
    expect(stills()).toEqual([[36, 64]]);
    connection(0).mount.querySelector("video")!.srcObject = connection(0).painting.stream;
    await phase("live");
    expect(stills()).toEqual([]);
  });

  it("shows how the device looks while WebRTC connects, in the place of its poster, and nothing once it has", async () => {
    const poster = await createImageBitmap(new ImageData(36, 64));
    const { phase, connection, container } = open({ hasPicture: () => false }, () => poster);
    const stills = () => [...container.querySelectorAll("canvas")].map(({ width, height }) => [width, height]);
    await vi.waitFor(() => expect(container.querySelectorAll("video")).toHaveLength(1));
    const aFrame = () => new VideoFrame(poster, { timestamp: 0, visibleRect: { x: 0, y: 0, width: 18, height: 32 } });
    const [first, late] = [aFrame(), aFrame()];
    connection(0).onStill(first);
    expect(stills()).toEqual([[18, 32]]);
    connection(0).mount.querySelector("video")!.srcObject = connection(0).painting.stream;
    await phase("live");
    connection(0).onStill(late);
    expect(stills()).toEqual([]);
    expect([first.format, late.format]).toEqual([null, null]);
  });

  it("follows the picture when the device turns", async () => {
    const { session, connection, phase } = open();
    await phase("live");
    connection(0).painting.paint(320, 180);
    await vi.waitFor(() => expect(session.status.picture).toEqual({ width: 320, height: 180 }));
  });

  it("keeps the last frame, counts down and comes back with a new token", async () => {
    const { session, connection, connections, phase, container, clock } = open();
    await phase("live");
    connection(0).lose("lost");
    await phase("reconnecting");
    expect(session.status.retryInSeconds).toBe(1);
    expect(connection(0).isClosed).toBe(true);
    expect(container.querySelectorAll("canvas")).toHaveLength(1);
    await clock.advance(900);
    expect(connections).toHaveLength(1);
    await clock.advance(100);
    await phase("live");
    expect(connection(1).token).toBe("token 2");
    expect(session.status.retryInSeconds).toBeUndefined();
    expect([container.querySelectorAll("canvas").length, container.querySelectorAll("video").length]).toEqual([0, 1]);
  });

  it("replaces a token that wore out at once", async () => {
    const { connection, phase, connections } = open();
    await phase("live");
    connection(0).lose("token");
    await vi.waitFor(() => expect(connections).toHaveLength(2));
    await phase("live");
    expect(connection(1).token).toBe("token 2");
  });

  it("tells nobody of a lost connection whom the service refuses", async () => {
    const { session, connection, phase, access } = open();
    await phase("live");
    const phases: string[] = [];
    session.subscribe(() => phases.push(session.status.phase));
    access.mockRejectedValueOnce(new AppError("INSTANCE_NOT_ALLOWED"));
    connection(0).lose("token");
    await phase("ended");
    expect(phases).not.toContain("reconnecting");
  });

  it("tries again when no picture comes in time, and when the service hiccups", async () => {
    const { session, connection, connections, phase, clock, access } = open({
      hasPicture: (attempt) => attempt > 1,
    });
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    access.mockRejectedValueOnce(new AppError("SERVICE_UNAVAILABLE"));
    await clock.advance(15_000);
    await vi.waitFor(() => expect(connection(0).isClosed).toBe(true));
    await vi.waitFor(() => expect(clock.sleeping).toBe(1));
    await clock.advance(1_000);
    expect(session.status.retryInSeconds).toBe(2);
    await clock.advance(2_000);
    await vi.waitFor(() => expect(access).toHaveBeenCalledTimes(2));
    await vi.waitFor(() => expect(clock.sleeping).toBe(1));
    await clock.advance(3_000);
    await phase("live");
    expect(connections).toHaveLength(2);
  });

  it("ends when there is nothing to come back to", async () => {
    const { connection, connections, phase, clock, access } = open();
    await phase("live");
    access.mockRejectedValueOnce(new AppError("INSTANCE_ENDED"));
    connection(0).lose("lost");
    await phase("reconnecting");
    await clock.advance(3_000);
    await phase("ended");
    await clock.advance(60_000);
    expect(connections).toHaveLength(1);
  });

  it("says why the picture comes over the socket, and asks no WebRTC of that network again", async () => {
    const { session, connection, phase, clock } = open();
    await phase("live");
    expect([connection(0).detour, session.status.detour]).toEqual([undefined, undefined]);
    connection(0).onDetour("blocked");
    expect(session.status.detour).toBe("blocked");
    connection(0).lose("lost");
    await phase("reconnecting");
    await clock.advance(1_000);
    await phase("live");
    expect(connection(1).detour).toBe("blocked");
  });

  it("goes on trying WebRTC where nothing else can be decoded", async () => {
    const { session, connection, phase, clock } = open();
    await phase("live");
    connection(0).onDetour("undecodable");
    expect(session.status.detour).toBe("undecodable");
    connection(0).lose("lost");
    await phase("reconnecting");
    await clock.advance(1_000);
    await phase("live");
    expect(connection(1).detour).toBeUndefined();
  });

  it("measures once a second", async () => {
    const { session, connection, phase, clock } = open();
    await phase("live");
    const video = (timestamp: number, framesDecoded: number, bytesReceived: number) =>
      connection(0).report.set("video", {
        type: "inbound-rtp",
        kind: "video",
        timestamp,
        framesDecoded,
        bytesReceived,
        packetsReceived: framesDecoded,
        packetsLost: 0,
      });
    video(1_000, 10, 0);
    await clock.advance(1_000);
    video(2_000, 70, 650_000);
    await clock.advance(1_000);
    await vi.waitFor(() =>
      expect(session.status.readout).toMatchObject({ path: "direct", framesPerSecond: 60, megabitsPerSecond: 5.2 }),
    );
  });

  it("hears what gadgets report, and what the device can do, which begins a connection", async () => {
    const { session, connection, phase } = open();
    await phase("live");
    connection(0).onMessage("battery", { level: 41 });
    connection(0).onMessage("battery", "nonsense");
    connection(0).onMessage("diskio", "slow");
    connection(0).onMessage("diskio", "fast");
    const battery = { level: 41 };
    expect(session.status.gadgets).toEqual({ battery, disk: ["slow", "fast"] });
    connection(0).onMessage("CAPABILITIES", { battery: true });
    expect(session.status).toMatchObject({ gadgets: { battery }, capabilities: { battery: true } });
    expect(session.status.gadgets).not.toHaveProperty("disk");
  });

  it("sends while it is live and drops the rest", async () => {
    const { session, connection, phase } = open();
    session.send({ type: "EARLY" });
    await phase("live");
    session.send({ type: "ROTATE" });
    connection(0).lose("lost");
    await phase("reconnecting");
    session.send({ type: "LATE" });
    expect(connection(0).sent).toEqual([{ type: "ROTATE" }]);
  });

  it("knows who else is there, where they point and who asks for control, until the connection is lost", async () => {
    const { session, connection, phase } = open();
    await phase("live");
    const { onMessage } = connection(0);
    onMessage("USERS", ["a", "b"]);
    onMessage("ROOM", { what: "pointer", viewer: 1, user: "b", x: 0.5, y: 1 });
    onMessage("ROOM", { what: "pointer", viewer: "1", user: "b", x: 0.5, y: 1 });
    onMessage("ROOM", { what: "hands", users: ["b"] });
    onMessage("ROOM", { what: "declined" });
    const pointers = [{ viewer: 1, user: "b", x: 0.5, y: 1 }];
    expect(session.status).toMatchObject({ people: ["a", "b"], pointers, hands: ["b"], declines: 1 });
    connection(0).lose("lost");
    await phase("reconnecting");
    expect([session.status.pointers, session.status.hands]).toEqual([[], undefined]);
  });

  it("leaves nothing behind when it is stopped, and can be started again at once", async () => {
    const { session, connection, connections, container, phase, clock } = open();
    await phase("live");
    session.stop();
    session.start(container);
    await vi.waitFor(() => expect(connections).toHaveLength(2));
    await phase("live");
    expect(connection(0).isClosed).toBe(true);
    expect(container.querySelectorAll("video")).toHaveLength(1);
    session.stop();
    await vi.waitFor(() => expect(container.childNodes).toHaveLength(0));
    await vi.waitFor(() => expect(clock.sleeping).toBe(0));
    expect(connection(1).isClosed).toBe(true);
  });
});
