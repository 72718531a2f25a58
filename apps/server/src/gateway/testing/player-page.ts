import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { acceptByteSocket } from "../../platform/websocket/byte-socket.ts";
import type { ViewerServer } from "../viewer-server.ts";
import { DEVICE, TOKEN } from "./test-viewer-server.ts";

const dist = dirname(
  createRequire(import.meta.url).resolve("@genymotion/device-web-player/dist/js/device-renderer.min.js"),
);

/** What the browser loads: the real player's script and styles, and a page with nothing else. */
const files: Record<string, { type: string; file: string }> = {
  "/player.js": { type: "text/javascript", file: join(dist, "device-renderer.min.js") },
  "/player.css": { type: "text/css", file: join(dist, "../css/device-renderer.min.css") },
};

const page = (url: string, fileUploadUrl: string): string => `<!doctype html>
<link rel="stylesheet" href="/player.css">
<script src="/player.js"></script>
<div id="player" style="width: 600px; height: 700px"></div>
<script>
  window.closes = [];
  for (const name of ["closeWrongToken", "closeNoLongerValidToken", "closeServerShutdown", "closeConnection", "closeConnectionUnavailable"])
    window.addEventListener(name, (event) => window.closes.push([name, event.detail]));
  const { DeviceRendererFactory } = window.genyDeviceWebPlayer;
  window.player = new DeviceRendererFactory().setupRenderer(document.getElementById("player"), ${JSON.stringify(url)}, {
    token: ${JSON.stringify(TOKEN)}, stun: [], turn: [], camera: true,
    fileUpload: true, fileUploadUrl: ${JSON.stringify(fileUploadUrl)},
    baseband: true, gpsSpeedSupport: true, streamBitrate: true,
  });
</script>`;

export interface PlayerPage {
  url: string;
  stop(): Promise<void>;
}

/** Serves a page with the real player in it, and the signalling of one device, on loopback. */
export async function startPlayerPage(viewers: ViewerServer): Promise<PlayerPage> {
  const server: Server = createServer((request, response) => {
    const file = files[request.url ?? ""];
    if (file) void readFile(file.file).then((body) => response.writeHead(200, { "content-type": file.type }).end(body));
    else {
      const sockets = `ws://${request.headers.host}`;
      response.writeHead(200, { "content-type": "text/html" }).end(page(`${sockets}/signalling`, `${sockets}/upload`));
    }
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket: Duplex, head) => {
    if (request.url !== "/upload")
      return sockets.handleUpgrade(request, socket, head, (accepted) =>
        viewers.acceptViewer(DEVICE, accepted, "127.0.0.1"),
      );
    const bytes = acceptByteSocket(request, socket, head);
    if (bytes) viewers.acceptBytes(DEVICE, bytes, "127.0.0.1", "upload");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
