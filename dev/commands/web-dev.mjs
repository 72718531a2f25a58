import { join } from "node:path";
import { root } from "./root.mjs";

/** The prefix of all paths of the server; every other path is a page. */
const SERVER_PATH = "/cloud";

/**
 * Starts Vite for the web app, with a proxy to the server that includes WebSockets. The Host header is kept, so that URLs that the server
 * builds from it lead back here.
 * @param {number} port
 * @param {number} serverPort
 */
export async function startWebWithHotReload(port, serverPort) {
  // Imported late, as it may have been installed just now.
  const { createServer } = await import("vite");
  const proxy = { [SERVER_PATH]: { target: `http://127.0.0.1:${serverPort}`, ws: true } };
  const server = await createServer({ root: join(root, "apps/web"), server: { port, strictPort: true, proxy } });
  return server.listen();
}

/**
 * Whether our web app is served at an address.
 * @param {string} url
 */
export async function isTerrariumAt(url) {
  const page = await fetch(url)
    .then((response) => response.text())
    .catch(() => "");
  return page.includes("<title>Terrarium");
}
