import { afterEach, describe, expect, it, vi } from "vitest";
import { openPlayer, type Player } from "./player.ts";
import { startLoopbackDevice } from "./testing/loopback-device.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).toReversed()) stop();
});

async function connect(token = "good") {
  const device = startLoopbackDevice();
  const mount = document.body.appendChild(document.createElement("div"));
  mount.style.cssText = "width:180px;height:320px";
  const messages: [string, unknown][] = [];
  const player: Player = await openPlayer({
    mount,
    webrtcUrl: "wss://device.test",
    token,
    onMessage: (type, message) => messages.push([type, message]),
  });
  stops.push(
    () => mount.remove(),
    () => device.stop(),
    () => player.close(),
  );
  const picture = () => vi.waitFor(() => expect(player.video.videoWidth).toBe(180), { timeout: 8_000 });
  return { device, mount, messages, player, picture };
}

describe("the player", { timeout: 15_000 }, () => {
  it("brings the picture, statistics and nothing that covers it", async () => {
    const { player, picture, mount } = await connect();
    await picture();
    const report = await player.stats();
    expect([...(report?.values() ?? [])].some(({ kind }) => kind === "video")).toBe(true);
    expect(mount.querySelectorAll("ul, button, img")).toHaveLength(0);
  });

  it("sends touches and messages to the device", async () => {
    const { player, picture, device, mount } = await connect();
    await picture();
    const at = { clientX: 90, clientY: 100, button: 0, bubbles: true, cancelable: true };
    await vi.waitFor(() => {
      mount.querySelector("video")?.dispatchEvent(new MouseEvent("mousedown", at));
      player.send({ type: "ROTATE" });
      expect(device.heard).toContainEqual({ type: "ROTATE" });
    });
    expect(device.heard).toContainEqual(expect.objectContaining({ type: "MOUSE_PRESS" }));
  });

  it("sends copy and paste to the device", async () => {
    const { player, picture, device } = await connect();
    await picture();
    const root = player.video.closest<HTMLElement>("[tabindex]") ?? player.video;
    const press = (keyCode: number) =>
      player.video.dispatchEvent(
        new KeyboardEvent("keydown", { keyCode, ctrlKey: true, bubbles: true, cancelable: true }),
      );
    root.focus();
    await vi.waitFor(() => {
      expect([press(67), press(86), press(88)]).toEqual([false, false, false]);
      expect(device.heard).toEqual(
        expect.arrayContaining(
          [0x010000cf, 0x010000e2, 0x010000d0].map((keycode) => ({ type: "KEYBOARD_PRESS", keychar: "", keycode })),
        ),
      );
    });
  });

  it("says once that it shows the others at the device", async () => {
    const { picture, device } = await connect();
    await picture();
    const users = { type: "USERS", code: "SUCCESS", message: ["a"] };
    for (let count = 0; count < 2; count++) device.sockets[0]?.say(users);
    expect(device.signalled).toEqual([{ type: "ROOM", what: "join" }]);
  });

  it("hands on what the device reports", async () => {
    const { picture, device, messages } = await connect();
    await picture();
    device.sockets[0]?.say({ type: "battery", code: "SUCCESS", message: "state mode charging 73" });
    device.sockets[0]?.say({ type: "battery", code: "FAIL", message: "state mode charging 1" });
    device.sockets[0]?.say({ type: "CAPABILITIES", message: { battery: true, camera: false } });
    expect(messages).toEqual([
      ["battery", "state mode charging 73"],
      ["CAPABILITIES", { battery: true, camera: false }],
    ]);
  });

  it.each([
    [1006, "lost"],
    [1000, "lost"],
    [4244, "lost"],
    [4243, "token"],
  ])("is over when the socket closes with %i: %s", async (code, loss) => {
    const { picture, device, player } = await connect();
    await picture();
    device.sockets[0]?.close(code);
    expect(await player.over).toBe(loss);
  });

  it("opens no other socket by itself", async () => {
    const { picture, device, player } = await connect();
    await picture();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    stops.push(() => vi.useRealTimers());
    device.sockets[0]?.close(1006);
    await player.over;
    // The player tries again after three seconds.
    await vi.advanceTimersByTimeAsync(4_000);
    expect(device.sockets).toHaveLength(1);
  });

  it("says that its token is wrong", async () => {
    const { player } = await connect("bad");
    expect(await player.over).toBe("token");
  });
});
