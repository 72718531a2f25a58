import proxyAddr from "@fastify/proxy-addr";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** The IP address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Finds clients' addresses as Fastify does for `request.ip`, for connections that it does not serve: that of the connection, or
 * what trusted reverse proxies say (`X-Forwarded-For`). An IPv4 address is never in its IPv6 form.
 */
export function clientAddresses(trustedProxies: string[]): ClientAddress {
  const trust = proxyAddr.compile(trustedProxies);
  return (request) => {
    const forwarded = plain(proxyAddr(request, trust));
    return isIP(forwarded) === 0 ? plain(request.socket.remoteAddress ?? "") : forwarded;
  };
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
