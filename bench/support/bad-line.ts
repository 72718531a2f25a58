import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout } from "node:timers";

/** The same numbers from 0 to 1 each time. */
function numbers(): () => number {
  let state = 1;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
}

/**
 * A relay of UDP to a port of this machine that holds each packet back and loses some, both ways, as `tc qdisc add … netem delay … loss …`
 * would; kernels without `sch_netem`, and whoever is not root, have no netem. Packets stay in order.
 */
export async function badLine(to: number, { delayMs, loss }: { delayMs: number; loss: number }) {
  const next = numbers();
  const counted = { carried: 0, lost: 0 };
  const fars = new Map<number, Socket>();
  const near = createSocket("udp4");
  let isOver = false;
  const later = (send: () => void) => {
    const isLost = next() < loss;
    counted[isLost ? "lost" : "carried"]++;
    if (!isLost) setTimeout(() => !isOver && send(), delayMs).unref();
  };
  near.on("message", (packet, { port }) => {
    let far = fars.get(port);
    if (!far) {
      fars.set(port, (far = createSocket("udp4")));
      far.on("message", (answer) => later(() => near.send(answer, port, "127.0.0.1", () => undefined)));
    }
    const through = far;
    later(() => through.send(packet, to, "127.0.0.1", () => undefined));
  });
  near.bind(0, "127.0.0.1");
  await once(near, "listening");
  const { port } = near.address();
  return {
    counted,
    /** A text with candidates, with the relay in place of where it leads to. */
    through: (text: string) => text.replaceAll(/( udp \d+ )\S+ \d+( typ )/gi, `$1127.0.0.1 ${port}$2`),
    stop() {
      isOver = true;
      near.close();
      for (const far of fars.values()) far.close();
    },
  };
}
