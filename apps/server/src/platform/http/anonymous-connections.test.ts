import { describe, expect, it } from "vitest";
import { AnonymousConnections } from "./anonymous-connections.ts";

/** Room for three, two of them from one network. */
function create() {
  const connections = new AnonymousConnections({ max: 3, maxPerNetwork: 2 });
  const closed: string[] = [];
  const add = (name: string, address: string) => connections.add(address, () => closed.push(name));
  return { connections, closed, add };
}

describe("connections that have not authenticated", () => {
  it("push out the oldest of their own network beyond its limit", () => {
    const { connections, closed, add } = create();
    add("other", "203.0.113.1");
    for (const name of ["a", "b", "c"]) add(name, "203.0.113.7");
    expect([closed, connections.size]).toEqual([["a"], 3]);
  });

  it("are of one network if they share 64 bits of IPv6", () => {
    const { closed, add } = create();
    for (const name of ["1", "2", "3"]) add(name, `2001:db8::${name}`);
    expect(closed).toEqual(["1"]);
  });

  it("push out the oldest of all beyond the limit of the process", () => {
    const { connections, closed, add } = create();
    for (const last of [1, 2, 3, 4]) add(`${last}`, `203.0.113.${last}`);
    expect([closed, connections.size]).toEqual([["1"], 3]);
  });

  it("leave room when they have authenticated or ended, once", () => {
    const { connections, closed, add } = create();
    const authenticated = add("a", "203.0.113.7");
    add("b", "203.0.113.7");
    authenticated();
    authenticated();
    add("c", "203.0.113.7");
    expect([closed, connections.size]).toEqual([[], 2]);
  });
});
