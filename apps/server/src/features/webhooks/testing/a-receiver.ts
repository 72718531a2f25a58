import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on loopback. `answers` are given in turn, the last one from then on: a status, or what is to be done. */
export async function aReceiver(...answers: (number | ((response: ServerResponse) => void))[]) {
  const got: Got[] = [];
  let next = 0;
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        got.push({ headers: request.headers, body });
        const answer = answers[Math.min(next++, answers.length - 1)] ?? 204;
        if (typeof answer === "number") response.writeHead(answer).end(`answer ${answer}`);
        else answer(response);
      },
      () => undefined,
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { got, port, url: `http://127.0.0.1:${port}/hook` };
}
