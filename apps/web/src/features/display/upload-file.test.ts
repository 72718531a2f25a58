import { TestClock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { FakeSocket } from "../../shared/miniatures/testing/fake-socket.ts";
import { uploadFile } from "./upload-file.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const MIB = 1024 ** 2;

/** An upload, and the service's end of its sockets. */
function begin(content: string, refuses: Error[] = []) {
  const clock = new TestClock(0);
  const abort = new AbortController();
  const sockets: FakeSocket[] = [];
  const progress: number[] = [];
  const lost: boolean[] = [];
  const done = uploadFile({
    url: "wss://here.test/upload",
    file: new File([content], "a.txt"),
    signal: abort.signal,
    clock,
    token: async () => {
      const refusal = refuses.shift();
      if (refusal) throw refusal;
      return "t";
    },
    onProgress: (sent) => progress.push(sent),
    onLost: (isLost) => lost.push(isLost),
    open: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
  });
  done.catch(() => undefined);
  const say = (code: string, more: object = {}) =>
    sockets
      .at(-1)
      ?.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ type: "FILE_UPLOAD", code, ...more }) }));
  /** What the newest socket was sent: messages, and the contents of parts. */
  const sent = () =>
    Promise.all(
      (sockets.at(-1)?.sent ?? []).map(async (part: unknown) =>
        part instanceof Blob ? part.text() : (JSON.parse(String(part)) as object),
      ),
    );
  const open = async () => {
    await turn();
    sockets.at(-1)?.open();
  };
  return { clock, abort, sockets, progress, lost, done, say, sent, open };
}

describe("a file", () => {
  it("is sent in parts, each when it is asked for", async () => {
    const { open, say, sent, progress, done } = begin("x".repeat(MIB) + "rest");
    await open();
    const [token, announced] = await sent();
    expect(token).toEqual({ type: "token", token: "t" });
    expect(announced).toMatchObject({ type: "FILE_UPLOAD", name: "a.txt", size: MIB + 4 });
    say("NEXT", { offset: 0 });
    say("PROGRESS", { value: 0.5 });
    say("NEXT", { offset: MIB });
    say("NEXT", { offset: MIB + 4 });
    expect((await sent()).slice(2)).toEqual(["x".repeat(MIB), "rest"]);
    expect(progress).toEqual([0, MIB, MIB + 4]);
    say("SUCCESS", { app: { package_name: "a", is_open: true } });
    expect(await done).toEqual({ package_name: "a", is_open: true });
  });

  it("goes on where it was when the connection is back", async () => {
    const { open, say, sent, sockets, lost, clock, done } = begin("one two");
    await open();
    const [, announced] = await sent();
    say("NEXT", { offset: 0 });
    sockets[0]?.end(1006);
    await turn();
    await clock.advance(1_000);
    await open();
    expect(sockets).toHaveLength(2);
    say("NEXT", { offset: 4 });
    expect((await sent()).slice(1)).toEqual([announced, "two"]);
    expect(lost).toEqual([false, true, false]);
    say("SUCCESS");
    expect(await done).toBeUndefined();
  });

  it("is given up after a minute without a word", async () => {
    const { open, sockets, clock, done } = begin("one");
    await open();
    for (let second = 0; second < 62; second++) {
      sockets.at(-1)?.end(1006);
      await turn();
      await clock.advance(1_000);
    }
    await expect(done).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("says why it was refused", async () => {
    const { open, say, done } = begin("one");
    await open();
    say("FAIL", { error: { code: "FILE_REFUSED", details: { reason: "FULL" } } });
    await expect(done).rejects.toMatchObject({ code: "FILE_REFUSED", details: { reason: "FULL" } });
  });

  it.each([
    [1008, "INSTANCE_NOT_ALLOWED"],
    [4242, "INSTANCE_NOT_ALLOWED"],
    [4244, "INSTANCE_ENDED"],
  ])("is not sent again after %i", async (code, why) => {
    const { open, sockets, done } = begin("one");
    await open();
    sockets[0]?.end(code);
    await expect(done).rejects.toMatchObject({ code: why });
    expect(sockets).toHaveLength(1);
  });

  it("is not sent to a device for which there is no token", async () => {
    const { done } = begin("one", [new AppError("INSTANCE_NOT_FOUND")]);
    await expect(done).rejects.toMatchObject({ code: "INSTANCE_NOT_FOUND" });
  });

  it("waits for a service that does not answer", async () => {
    const { sockets, clock } = begin("one", [new AppError("SERVICE_UNAVAILABLE")]);
    await turn();
    await clock.advance(1_000);
    await turn();
    expect(sockets).toHaveLength(1);
  });

  it("is called off", async () => {
    const { open, abort, sent, done, sockets } = begin("one");
    await open();
    abort.abort(new Error("enough"));
    await expect(done).rejects.toThrow("enough");
    expect((await sent()).at(-1)).toEqual({ type: "FILE_UPLOAD", cancel: true });
    expect(sockets[0]?.readyState).toBe(3);
  });
});
