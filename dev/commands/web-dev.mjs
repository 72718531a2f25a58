import { join } from "node:path";
import { root } from "./root.mjs";

/** Everything the server answers itself is below it; every other path is a page. */
const SERVER_PATH = "/cloud";

/**
 * Starts vite on the web app, handing what is the server's on to it, sockets too. The Host header stays, so that addresses the server
 * makes of it lead back here.
 * @param {number} port
 * @param {number} serverPort
 */
export async function startWebWithHotReload(port, serverPort) {
  // Not at the top: it may have been installed a moment ago.
  const { createServer } = await import("vite");
  const proxy = { [SERVER_PATH]: { target: `http://127.0.0.1:${serverPort}`, ws: true } };
  const server = await createServer({ root: join(root, "apps/web"), server: { port, strictPort: true, proxy } });
  return server.listen();
}

/**
 * Whether our web app answers at an address.
 * @param {string} url
 */
export async function isTerrariumAt(url) {
  const page = await fetch(url)
    .then((response) => response.text())
    .catch(() => "");
  return page.includes("<title>Terrarium");
}
