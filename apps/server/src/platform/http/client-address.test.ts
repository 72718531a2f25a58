import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddresses } from "./client-address.ts";

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe("a client's address", () => {
  it("is that of its connection, whatever it says", () => {
    expect(clientAddresses([])(request("203.0.113.7", "192.0.2.1"))).toBe("203.0.113.7");
    expect(clientAddresses(["10.0.0.0/8"])(request("203.0.113.7", "10.0.0.1"))).toBe("203.0.113.7");
  });

  it("is what the trusted proxies say, and not what was said before them", () => {
    const address = clientAddresses(["10.0.0.0/8", "::1"]);
    expect(address(request("10.0.0.2", "192.0.2.1, 203.0.113.7"))).toBe("203.0.113.7");
    expect(address(request("::1", "192.0.2.1, 203.0.113.7, 10.0.0.9"))).toBe("203.0.113.7");
  });

  it("is that of the proxy if that says nothing, or what is no address", () => {
    const address = clientAddresses(["10.0.0.0/8"]);
    expect(address(request("10.0.0.2"))).toBe("10.0.0.2");
    expect(address(request("10.0.0.2", "unknown"))).toBe("10.0.0.2");
  });

  it.each([
    ["192.0.2.1, 203.0.113.7:5678", "203.0.113.7"],
    ["203.0.113.7:5678, 10.0.0.9:443", "203.0.113.7"],
    ["[2001:db8::7]:80", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["2001:db8::7:80", "2001:db8::7:80"],
    ["[::ffff:203.0.113.7]:80", "203.0.113.7"],
    ["203.0.113.7:5678, 203.0.113.8:port", "10.0.0.2"],
  ])("has no port: %s", (forwarded, expected) => {
    expect(clientAddresses(["10.0.0.0/8"])(request("10.0.0.2", forwarded))).toBe(expected);
  });

  it("is an IPv4 address, also when it arrives in its IPv6 form", () => {
    expect(clientAddresses([])(request("::ffff:203.0.113.7"))).toBe("203.0.113.7");
    expect(clientAddresses([])(request("2001:db8::7"))).toBe("2001:db8::7");
  });
});
