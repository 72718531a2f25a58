import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire, stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const inPage = (name: string) => fileURLToPath(new URL(`../page/${name}`, import.meta.url));

const files: Record<string, { type: string; path: string }> = {
  "/": { type: "text/html", path: inPage("index.html") },
  "/measure.js": { type: "text/javascript", path: inPage("measure.ts") },
  "/latency-mark.js": { type: "text/javascript", path: require.resolve("@terrarium/simulator-screen/latency-mark") },
  "/player.js": {
    type: "text/javascript",
    path: require.resolve("@genymotion/device-web-player/dist/js/device-renderer.min.js"),
  },
  "/player.css": {
    type: "text/css",
    path: require.resolve("@genymotion/device-web-player/dist/css/device-renderer.min.css"),
  },
};

export interface PlayerPage {
  url: string;
  stop(): void;
}

/** Where a browser, which knows no packages, finds the one that the page uses. */
const MARK = ["@terrarium/simulator-screen/latency-mark", "/latency-mark.js"] as const;

/** A file of the page by its path; undefined if there is none. */
export function pageFile(path: string): { type: string; body: string } | undefined {
  const file = files[path];
  if (!file) return undefined;
  const text = readFileSync(file.path, "utf8");
  return { type: file.type, body: file.path.endsWith(".ts") ? stripTypeScriptTypes(text).replace(...MARK) : text };
}

/** Serves a page on loopback with the real player and the code that measures, unbundled. */
export async function startPlayerPage(): Promise<PlayerPage> {
  const server = createServer((request, response) => {
    const file = pageFile(request.url ?? "");
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": file.type }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
