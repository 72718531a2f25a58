import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answerOf, head, serveThings } from "./testing/serve-things.ts";

const png = (text: string, name = "a.png") => new File([text], name, { type: "image/png" });

/** A form with text fields and files, as a browser sends it. */
function formWith(entries: [string, string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

describe("a form", () => {
  it("delivers its fields and files, and deletes the files after the reply", async () => {
    const { client, leftovers } = await serveThings();
    const given = await client.upload({
      body: {
        fields: { title: "Ferns", tags: ["a", "b"] },
        files: {
          photos: [png("one", "../Größe.png"), png("two")],
          note: [new File(["n"], "n.txt", { type: "text/plain" })],
        },
      },
    });
    expect(given).toEqual({
      title: "Ferns",
      tags: ["a", "b"],
      files: ["Größe.png image/png 3 one", "a.png image/png 3 two", "n.txt text/plain 1 n"],
    });
    expect(await leftovers()).toEqual([]);
  });

  it("accepts a file of exactly the maximum size", async () => {
    const { client } = await serveThings();
    const files = { photos: [png("x".repeat(1000))] };
    expect((await client.upload({ body: { fields: { title: "t" }, files } })).files).toHaveLength(1);
  });

  const title: [string, string] = ["title", "t"];
  const one: [string, File] = ["photos", png("1")];
  it.each<[string, [string, string | File][], number, string, string?]>([
    ["a file that is too large", [title, ["photos", png("x".repeat(1001))]], 413, "BODY_TOO_LARGE", "photos"],
    ["a file too large for its own field", [title, one, ["note", png("x".repeat(11))]], 413, "BODY_TOO_LARGE", "note"],
    ["too many files", [title, one, one, one], 400, "invalid_request", "photos"],
    ["too many files in total", [title, one, one, ["note", png("1")], one], 400, "invalid_request", "photos"],
    ["a required file missing", [title], 400, "invalid_request", "photos"],
    ["an unknown file field", [title, one, ["virus", png("1")]], 400, "invalid_request", "virus"],
    [
      "a file of another type",
      [title, ["photos", new File(["1"], "a.gif", { type: "image/gif" })]],
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["a text field that is too long", [["title", "x".repeat(70_000)], one], 413, "BODY_TOO_LARGE", "title"],
    ["a text field that its schema rejects", [["title", ""], one], 400, "invalid_request", "title"],
    ["too many text fields", [...Array.from({ length: 101 }, () => title), one], 413, "BODY_TOO_LARGE"],
    ["a field called __proto__", [title, one, ["__proto__", "1"]], 400, "invalid_request"],
  ])("is refused with %s, and leaves no files behind", async (_, entries, status, code, field) => {
    const { url, uploads, leftovers } = await serveThings();
    const answer = await answerOf(`${url}/v1/uploads`, { method: "POST", body: formWith(entries) });
    expect([answer.status, answer.code, answer.fields?.[0]?.field]).toEqual([status, code, field]);
    expect([uploads, await leftovers()]).toEqual([[], []]);
  });

  it("is refused unread when its content length is over the limit", async () => {
    const { port, leftovers } = await serveThings();
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write(head({ "content-type": "multipart/form-data; boundary=b", "content-length": "99000000" }));
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
    expect(await leftovers()).toEqual([]);
  });

  it.each([
    ["a file too large", "photos", 413],
    ["an unknown file", "virus", 400],
  ])(
    "that is refused with %s is read to its end, and what comes next on the connection is served",
    async (_, field, status) => {
      const { port } = await serveThings();
      const socket = connect({ port, host: "127.0.0.1" });
      onTestFinished(() => void socket.destroy());
      let replies = "";
      socket.on("data", (part) => (replies += String(part)));
      const form = `--b\r\n${fileHead(field)}${"x".repeat(500_000)}\r\n--b--\r\n`;
      const asked =
        head({ "content-type": "multipart/form-data; boundary=b", "content-length": String(form.length) }) + form;
      for (let count = 0; count < 3; count++) socket.write(asked);
      await vi.waitFor(() => expect(replies.split(`HTTP/1.1 ${status} `)).toHaveLength(4), 10_000);
    },
  );

  it.each([
    ["nothing", {}, undefined, 415],
    ["JSON", { "content-type": "application/json" }, "{}", 415],
    ["no boundary", { "content-type": "multipart/form-data" }, "--b--", 400],
    ["no end", { "content-type": "multipart/form-data; boundary=b" }, `--b\r\n${fileHead("photos")}abc`, 400],
  ])("is refused with %s", async (_, headers, body, status) => {
    const { url, uploads, leftovers } = await serveThings();
    expect((await answerOf(`${url}/v1/uploads`, { method: "POST", headers, body })).status).toBe(status);
    expect([uploads, await leftovers()]).toEqual([[], []]);
  });

  it("is not read when the caller is not admitted", async () => {
    const { url, leftovers } = await serveThings();
    const body = formWith([title, one]);
    expect((await fetch(`${url}/v1/uploads`, { method: "POST", body })).status).toBe(401);
    expect(await leftovers()).toEqual([]);
  });

  it("leaves no files behind when the client disconnects halfway", async () => {
    const { app, port, uploads, leftovers } = await serveThings();
    const arrived = once(app.server, "request") as Promise<[IncomingMessage]>;
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write(head({ "content-type": "multipart/form-data; boundary=b", "content-length": "900" }));
    socket.write(`--b\r\n${fileHead("photos")}half of it`);
    const [request] = await arrived;
    await vi.waitFor(async () => expect(await leftovers()).toHaveLength(1), 10_000);
    const closed = new Promise((resolve) => request.once("close", resolve));
    socket.destroy();
    await closed;
    await vi.waitFor(async () => expect(await leftovers()).toEqual([]), 10_000);
    expect(uploads).toEqual([]);
  });
});

function fileHead(name: string): string {
  return `Content-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
}
