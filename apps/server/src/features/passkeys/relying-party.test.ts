import { expect, it } from "vitest";
import { findRelyingParty, relyingPartyAt } from "./relying-party.ts";

it.each([
  ["https://devices.example", "devices.example"],
  ["https://devices.example:8443", "devices.example"],
  ["http://localhost:8080", "localhost"],
  ["http://devices.localhost:8080", "devices.localhost"],
  ["http://devices.example", undefined],
  ["https://192.0.2.1", undefined],
  ["https://[2001:db8::1]", undefined],
  ["http://127.0.0.1:8080", undefined],
  ["http://[::1]:8080", undefined],
])("browsers keep passkeys of %s for %s", (origin, id) => {
  expect(findRelyingParty(origin)).toEqual(id === undefined ? undefined : { id, origin });
});

it("says where passkeys are not available", () => {
  expect(relyingPartyAt("https://devices.example")).toEqual({
    id: "devices.example",
    origin: "https://devices.example",
  });
  expect(() => relyingPartyAt("http://devices.example")).toThrow(
    expect.objectContaining({ code: "PASSKEYS_NOT_AVAILABLE" }),
  );
});
