import proxyAddr from "@fastify/proxy-addr";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** The IP address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Finds clients' addresses, for requests and for connections that Fastify does not serve: that of the connection, or what trusted reverse
 * proxies say (`X-Forwarded-For`), without a port. An IPv4 address is never in its IPv6 form.
 */
export function clientAddresses(trustedProxies: string[]): ClientAddress {
  const isTrusted = proxyAddr.compile(trustedProxies);
  return ({ headers, socket }) => {
    let address = plain(socket.remoteAddress ?? "");
    if (headers["x-forwarded-for"] === undefined) return address;
    // Each proxy has appended the address of whoever connected to it.
    const entries = String(headers["x-forwarded-for"]).split(",");
    for (const entry of entries.toReversed()) {
      const forwarded = plain(entry.trim().replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3"));
      if (!isTrusted(address, 0) || isIP(forwarded) === 0) break;
      address = forwarded;
    }
    return address;
  };
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
