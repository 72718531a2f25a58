import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fetchScrcpyServer } from "./fetch-server.ts";

const bytes = randomBytes(100_000);
const expected = createHash("sha256").update(bytes).digest("hex");

/** Where something answers, and an empty folder. */
async function serve(answer: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), "scrcpy-"));
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(() => {
    close();
    rmSync(folder, { recursive: true });
  });
  const { port } = server.address() as { port: number };
  return { folder, path: join(folder, "scrcpy-server"), url: `http://127.0.0.1:${port}/file`, close };
}

it("gets the file by a redirection, as releases have it", async () => {
  const { path, url } = await serve(({ url: asked }, reply) => {
    if (asked === "/there") reply.end(bytes);
    else reply.writeHead(302, { location: "/there" }).end();
  });
  await fetchScrcpyServer(path, { url, expected });
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

it("keeps nothing that is another file, half of it, too large, or a refusal, and says what to do", async () => {
  const answers: [RequestListener, string][] = [
    [(_, reply) => reply.end("malware"), "its SHA-256 is "],
    [
      (_, reply) => void reply.writeHead(200, { "content-length": 9 }).write("12", () => reply.destroy()),
      "could not be",
    ],
    [(_, reply) => reply.end(Buffer.alloc(17 * 1024 * 1024)), "could not be"],
    [(_, reply) => reply.writeHead(404).end(bytes), "it answered with 404"],
  ];
  for (const [answer, says] of answers) {
    const { folder, path, url } = await serve(answer);
    const error = await fetchScrcpyServer(path, { url, expected }).catch(String);
    expect(error).toContain(says);
    expect(error).toContain("name it in TERRARIUM_SCRCPY_SERVER");
    expect(readdirSync(folder)).toEqual([]);
  }
});

it("says so without internet", async () => {
  const { path, url, close } = await serve(() => undefined);
  close();
  await expect(fetchScrcpyServer(path, { url })).rejects.toThrow("ECONNREFUSED");
});
