import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { head, serveThings } from "./testing/serve-things.ts";

const aForm = { "content-type": "multipart/form-data; boundary=b" };
const aFile = { "content-type": "application/x-file" };

describe("a body that does not arrive", () => {
  it.each([
    ["a small one", "webhook", { "content-type": "text/plain", "content-length": "900" }, 31_000],
    ["a form, which may take longer", "uploads", { ...aForm, "content-length": "6000000" }, 125_000],
    ["a form that is short", "uploads", { ...aForm, "content-length": "900" }, 31_000],
    [
      "a file that is passed on, which others may hold back",
      "deliveries",
      { ...aFile, "content-length": "900" },
      601_000,
    ],
  ])("times out after as long as its length and its route allow: %s", async (_, path, headers, ms) => {
    const { app, clock, port } = await serveThings();
    const arrived = once(app.server, "request");
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write(head(headers, path));
    socket.write("--b\r\n");
    await arrived;
    const answer = text(socket);
    await clock.advance(ms - 15_000);
    expect(clock.sleeping).toBe(1);
    await clock.advance(15_000);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  });

  it.each([
    ["a form", "uploads", aForm],
    ["a file that would be passed on", "deliveries", aFile],
  ])("keeps its connection for half a minute after the reply: %s", async (_, path, headers) => {
    const { clock, port } = await serveThings();
    const socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.write(head({ ...headers, authorization: "", "content-length": "6000000" }, path));
    const [reply] = (await once(socket, "data")) as [Buffer];
    expect(reply.toString()).toMatch(/^HTTP\/1.1 401 /);
    const closed = once(socket.resume(), "close");
    await clock.advance(29_000);
    expect(clock.sleeping).toBeGreaterThan(0);
    await clock.advance(2_000);
    await closed;
    expect(clock.sleeping).toBe(0);
  });

  it("leaves no timer behind once it has arrived", async () => {
    const { client, clock } = await serveThings();
    await client.webhook({ headers: {}, body: Uint8Array.from([1]) });
    expect(clock.sleeping).toBe(0);
  });
});
