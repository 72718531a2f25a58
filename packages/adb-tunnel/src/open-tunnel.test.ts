import { TestClock } from "@terrarium/clock";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { openTunnel } from "./open-tunnel.ts";

it("says once that the service is away, however often it asks, and ends the connection after a minute", async () => {
  const clock = new TestClock();
  const problems: string[] = [];
  let asked = 0;
  const asks = Promise.withResolvers<void>();
  const tunnel = await openTunnel({
    url: "ws://127.0.0.1:1",
    token: () => {
      asked++;
      asks.resolve();
      return Promise.reject(new Error("It is away."));
    },
    clock,
    report: (problem) => problems.push(problem),
  });
  const socket = connect(tunnel.port, tunnel.host);
  const closed = once(socket, "close");
  await asks.promise;
  await clock.advance(30_000);
  expect([asked > 50, problems, socket.closed]).toEqual([true, ["It is away."], false]);
  await clock.advance(31_000);
  await closed;
  await tunnel.close();
});
