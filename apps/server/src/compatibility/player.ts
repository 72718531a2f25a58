import { z } from "zod";
import type { Call, Client, Happens } from "./client.ts";
import { instance, pageOf, recipe, refusal, socket } from "./fields.ts";

const named = z.looseObject({ uuid: z.uuid(), name: z.string().min(1) });
const accessToken = z.looseObject({ access_token: z.string().min(1) });

interface Page {
  recipes: Pick<Call, "sends" | "reads" | "saves">;
  /** With it the token is for one device. */
  tokenBody?: object;
  device: z.ZodType;
}

const session = ({ recipes, tokenBody, device }: Page): (Call | Happens)[] => {
  const takeToken: Call = {
    does: "asks for a token to watch with",
    sends: "POST /v1/instances/access-token",
    ...(tokenBody && { body: tokenBody }),
    status: 200,
    reads: accessToken,
  };
  const start: Call = {
    does: "starts a device",
    sends: "POST /v1/recipes/{recipe}/start-disposable",
    body: { instance_name: "{recipe}instance", rename_on_conflict: true, stop_when_inactive: true },
    status: 201,
    reads: instance,
    saves: { device: "uuid" },
  };
  return [
    { does: "offers recipes", status: 200, ...recipes },
    start,
    takeToken,
    { does: "joins it", sends: "GET /v1/instances/{device}", status: 200, reads: device },
    takeToken,
    { happens: "comes online" },
    // Without a body, but with a content type.
    { does: "stops it", sends: "POST /v1/instances/{device}/stop-disposable", status: 200, reads: instance },
    {
      ...start,
      does: "shows a refusal",
      sends: "POST /v1/recipes/00000000-0000-4000-8000-000000000000/start-disposable",
      status: 404,
      reads: refusal("RECIPE_NOT_FOUND"),
      saves: {},
    },
  ];
};

const pageOfPlayer = (version: string, page: Page): Client => ({
  name: `the example page of the web player ${version}`,
  credential: "api token",
  headers: { "content-type": "application/json" },
  origin: "http://localhost:8000",
  session: session(page),
});

/** The web player's example page, and the page that `gmsaas instances display` opens, which is a file. */
export const players: readonly Client[] = [
  pageOfPlayer("4.1.4", {
    recipes: {
      sends: "GET /v1/recipes?limit=1000",
      reads: z.record(z.string(), z.array(named)),
      saves: { recipe: "official.0.uuid" },
    },
    device: instance.extend({ publicWebrtcUrl: socket }),
  }),
  pageOfPlayer("4.3.1", {
    recipes: {
      sends: "GET /v3/recipes/?arch=x86_64&arch=x86&arch=arm64&limit=1000",
      // It asks for no other page.
      reads: pageOf(recipe).refine(({ count, results }) => results.length === count, "there are more"),
      saves: { recipe: "results.0.uuid" },
    },
    tokenBody: { instance_uuid: "{device}" },
    device: instance,
  }),
  ...(["api token", "session"] as const).map((credential): Client => ({
    name: `the page of gmsaas instances display, with the ${credential}`,
    credential,
    headers: { "content-type": "application/json" },
    origin: "null",
    session: [
      {
        does: "has something to show",
        sends: "GET /v3/recipes/?page_size=1",
        status: 200,
        saves: { recipe: "results.0.uuid" },
      },
      {
        does: "has something to show",
        sends: "POST /v1/recipes/{recipe}/start-disposable",
        body: { instance_name: "ferns", timeouts: {} },
        status: 201,
        saves: { device: "uuid" },
      },
      { does: "lists", sends: "GET /v2/instances?page_size=1000", status: 200, reads: pageOf(instance) },
      {
        does: "asks for a token to watch with",
        sends: "POST /v1/instances/access-token",
        body: { instance_uuid: "{device}" },
        status: 200,
        reads: accessToken,
      },
    ],
  })),
];
