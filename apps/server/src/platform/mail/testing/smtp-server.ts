import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

/** Of its only account, `terrarium`. */
export const SMTP_PASSWORD = "t0ps3cret";

/** An SMTP server that requires a password and accepts every recipient but `nobody@` and `busy@`; it records what it receives. */
export async function listenSmtp(port = 0) {
  const received: { from: string; to: string[]; content: string }[] = [];
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    authMethods: ["PLAIN"],
    logger: false,
    onAuth: ({ password }, _session, done) =>
      password === SMTP_PASSWORD ? done(null, { user: "terrarium" }) : done(new Error("Wrong password")),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith("nobody@")
        ? done(Object.assign(new Error("No such mailbox"), { responseCode: 550 }))
        : address.startsWith("busy@")
          ? done(Object.assign(new Error("Mailbox busy"), { responseCode: 450 }))
          : done(),
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      const to = envelope.rcptTo.map(({ address }) => address);
      readText(stream).then((content) => {
        received.push({ from, to, content });
        done();
      }, done);
    },
  });
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { received, stop, port: (listening.address() as AddressInfo).port };
}

/** Likewise, for one test. */
export async function startSmtp(port = 0) {
  const server = await listenSmtp(port);
  onTestFinished(server.stop);
  return server;
}
