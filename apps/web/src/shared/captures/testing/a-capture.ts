import type { Capture } from "@terrarium/contract";
import { aPage } from "../../../testing/fake-service.ts";
import { aUser, anId } from "../../../testing/factories.ts";
import { twoColoursMp4 } from "./two-colours-mp4.ts";

export const aCapture = (fields: Partial<Capture> = {}): Capture => ({
  uuid: anId(),
  kind: "recording",
  owner: aUser(),
  instance_uuid: anId(),
  instance_name: "fern",
  media_type: "video/mp4",
  bytes: 1_572_864,
  duration_ms: 42_000,
  width: 360,
  height: 640,
  created_at: "2026-03-02T09:00:00.000Z",
  ...fields,
});

/** The routes of a service that holds these. */
export const captureRoutes = (captures: Capture[]) => ({
  "GET /v1/captures": ({ query }: { query: URLSearchParams }) => ({
    ...aPage(captures.filter(({ kind }) => (query.get("kind") ?? kind) === kind)),
    used_bytes: 1_610_612_736,
    max_bytes: 2_147_483_648,
    own_bytes: 536_870_912,
    own_max_bytes: 1_073_741_824,
  }),
  "GET /v1/captures/:uuid/file": () =>
    new Response(twoColoursMp4, {
      headers: { "content-type": "video/mp4", "content-disposition": 'attachment; filename="fern.mp4"' },
    }),
  "DELETE /v1/captures/:uuid": ({ path }: { path: string }) => {
    captures.splice(0, captures.length, ...captures.filter(({ uuid }) => !path.endsWith(uuid)));
    return null;
  },
});
