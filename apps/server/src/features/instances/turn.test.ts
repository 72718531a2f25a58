import { expect, it } from "vitest";
import { iceServersFor } from "./turn.ts";

it("credentials for TURN are of ten minutes and one person, and follow from the secret alone", () => {
  const turn = { urls: ["turn:turn.example.com:3478", "turns:turn.example.com:443?transport=tcp"], secret: "north" };
  expect(iceServersFor(turn, "robin", Date.UTC(2026, 2, 2, 9))).toEqual([
    // printf 1772442600:robin | openssl dgst -sha1 -hmac north -binary | base64
    { urls: turn.urls, username: "1772442600:robin", credential: "SUImnl/rhZ1hdJ4oazi+QRu4Ibg=" },
  ]);
});
