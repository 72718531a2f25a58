import { TestClock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { FakeSocket } from "../../../shared/miniatures/testing/fake-socket.ts";
import { ToolSocket, type ToolSocketOptions } from "./tool-socket.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A tool, and the service's end of its sockets. */
async function begin(more: Partial<ToolSocketOptions> = {}, refusal?: AppError) {
  const clock = new TestClock(0);
  const sockets: FakeSocket[] = [];
  const tool = new ToolSocket({
    url: "wss://here.test/tools",
    tool: "logcat",
    token: async () => {
      if (refusal && sockets.length > 0) throw refusal;
      return "t";
    },
    clock,
    open: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    ...more,
  });
  tool.start();
  await turn();
  const say = (message: object) =>
    sockets.at(-1)?.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  const bytes = async (length: number) => {
    sockets.at(-1)?.show(new Uint8Array(length));
    await turn();
  };
  const sent = () => (sockets.at(-1)?.sent ?? []).map((text) => JSON.parse(text) as object);
  const open = () => {
    sockets.at(-1)?.open();
    say({ type: "READY" });
  };
  open();
  return { clock, sockets, tool, say, bytes, sent, open };
}

describe("a tool", () => {
  it("shows its token, and asks", async () => {
    const { tool, say, sent } = await begin({ tool: "download", path: "/a" });
    expect(tool.state).toEqual({ phase: "open" });
    const first = tool.ask("list", { path: "/" });
    const second = tool.ask("delete", { path: "/a" });
    expect(sent()).toEqual([
      { token: "t", tool: "download", path: "/a" },
      { id: 1, do: "list", path: "/" },
      { id: 2, do: "delete", path: "/a" },
    ]);
    say({ id: 2, error: { code: "refused", words: "no" } });
    say({ id: 1, entries: [] });
    expect(await first).toEqual({ entries: [] });
    await expect(second).rejects.toMatchObject({ code: "refused", words: "no" });
  });

  it("confirms what was dealt with, and nothing before", async () => {
    const gate = Promise.withResolvers<void>();
    const { bytes, sent } = await begin({ onBytes: () => gate.promise });
    await bytes(200_000);
    await bytes(200_000);
    expect(sent().length).toBe(1);
    gate.resolve();
    await turn();
    expect(sent().slice(1)).toEqual([{ received: 400_000 }]);
  });

  it("comes back by itself, and what was asked before has failed", async () => {
    let opened = 0;
    const { clock, sockets, tool, open } = await begin({ onOpen: () => opened++ });
    const asked = tool.ask("clear");
    sockets[0]?.end(1006);
    await expect(asked).rejects.toMatchObject({ code: "lost" });
    await turn();
    expect(tool.state).toEqual({ phase: "lost" });
    await expect(tool.ask("clear")).rejects.toMatchObject({ code: "lost" });
    await clock.advance(1_500);
    open();
    expect([sockets.length, opened, tool.state]).toEqual([2, 2, { phase: "open" }]);
  });

  it.each([
    ["sent away", (socket?: FakeSocket) => socket?.end(1008), "notAllowed"],
    [
      "one too many",
      (socket?: FakeSocket) => socket?.dispatchEvent(new CloseEvent("close", { code: 1013, reason: "too many tools" })),
      "noRoom",
    ],
  ])("that is %s stays away until somebody tries again", async (_, end, code) => {
    const { clock, sockets, tool, open } = await begin();
    end(sockets[0]);
    await turn();
    expect(tool.state).toMatchObject({ phase: "over", failure: { code } });
    await clock.advance(60_000);
    expect(sockets.length).toBe(1);
    tool.start();
    await turn();
    open();
    expect(tool.state).toEqual({ phase: "open" });
  });

  it.each([
    ["INSTANCE_NOT_ALLOWED", "notAllowed"],
    ["INSTANCE_ENDED", "ended"],
  ] as const)("does not come back after %s", async (code, failure) => {
    const { clock, sockets, tool } = await begin({}, new AppError(code));
    sockets[0]?.end(4244);
    await turn();
    await clock.advance(1_500);
    expect(tool.state).toMatchObject({ phase: "over", failure: { code: failure } });
  });

  it("that runs once is over when its connection is", async () => {
    const { clock, sockets, tool } = await begin({ isOnce: true });
    sockets[0]?.end(1006);
    await turn();
    expect(tool.state).toMatchObject({ phase: "over", failure: { code: "lost" } });
    await clock.advance(60_000);
    expect(sockets.length).toBe(1);
  });

  it("tells how it has ended", async () => {
    const { tool, say } = await begin();
    say({ type: "END", exitCode: 3 });
    await turn();
    expect(tool.state).toEqual({ phase: "over", exitCode: 3 });
    tool.start();
    await turn();
    say({ type: "FAIL", error: { code: "unsupported" } });
    await turn();
    expect(tool.state).toMatchObject({ phase: "over", failure: { code: "unsupported" } });
  });

  it("closes its socket when it is stopped", async () => {
    const { clock, sockets, tool } = await begin();
    tool.stop();
    await clock.advance(60_000);
    expect([sockets.length, sockets[0]?.readyState]).toEqual([1, 3]);
  });
});
