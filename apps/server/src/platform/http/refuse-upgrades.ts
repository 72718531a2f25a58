import type { Server } from "node:http";
import { refuseSocket } from "./raw-answer.ts";

/** Refuses upgrades of paths that nobody serves: once anybody listens for upgrades, Node keeps their sockets open for ever. */
export function refuseOtherUpgrades(server: Server, served: RegExp[]): void {
  server.on("upgrade", (request, socket) => {
    const path = request.url?.split("?")[0] ?? "";
    if (!served.some((pattern) => pattern.test(path))) refuseSocket(socket, "ROUTE_NOT_FOUND");
  });
}
