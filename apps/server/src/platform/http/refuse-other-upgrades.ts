import type { Server } from "node:http";
import { refuseSocket } from "./refuse-socket.ts";

/** Answers 404 to upgrades of other paths: once there is an `upgrade` listener, Node leaves the sockets open until somebody ends them. */
export function refuseOtherUpgrades(server: Server, served: RegExp[]): void {
  server.on("upgrade", (request, socket) => {
    const path = request.url?.split("?")[0] ?? "";
    if (!served.some((pattern) => pattern.test(path))) refuseSocket(socket, "ROUTE_NOT_FOUND");
  });
}
