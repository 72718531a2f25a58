import { isIP } from "node:net";
import { z } from "zod";
import { type Reach, reaches, reachOf } from "./gateway/viewers/reach.ts";
import { isLoopback } from "./platform/http/hosts.ts";
import { list, port } from "./settings-fields.ts";

/** Where video is sent from, and where to. */
export const mediaEnvironment = {
  TERRARIUM_MEDIA_PORT: port.default(0).meta({ description: "one UDP port for all video", shown: "free ones" }),
  TERRARIUM_MEDIA_HOST: z.union([z.ipv4(), z.ipv6()]).optional().meta({
    description:
      "the IP address to send video from; all by default if a proxy or `TERRARIUM_PUBLIC_URL` leads others to loopback",
    shown: "`HOST`",
  }),
  TERRARIUM_MEDIA_REACH: z.enum(reaches).optional().meta({
    description:
      "to which addresses of browsers video is sent: `public` ones only, `private` networks too, or `loopback` too",
    shown: "that of the service",
  }),
  TERRARIUM_MEDIA_ADDRESS: z.string().optional().meta({
    description: "the address at which browsers reach that port",
    shown: "detected",
  }),
  TERRARIUM_TURN_URLS: list
    .pipe(z.array(z.string().regex(/^turns?:[^\s/]+$/, "Must be like turn:turn.example.com:3478")))
    .describe(
      "TURN servers that relay video for browsers that find no direct way, `turn:turn.example.com:3478`, with coturn's `use-auth-secret`",
    ),
  TERRARIUM_TURN_SECRET: z
    .string()
    .optional()
    .describe("their `static-auth-secret`: everybody who opens a display gets credentials for an hour"),
};

/** An IP address to listen on; undefined for all, of both families, and for names other than localhost. */
function ipOf(host: string): string | undefined {
  if (isIP(host) === 0) return isLoopback(host) ? "127.0.0.1" : undefined;
  return ["0.0.0.0", "::"].includes(host) ? undefined : host;
}

/** Where video is sent from, and how near the addresses may be that it is sent to. */
export function mediaOf(
  env: z.infer<z.ZodObject<typeof mediaEnvironment>> & { TERRARIUM_PUBLIC_URL?: string | undefined },
  host: string,
  isLocal: boolean,
) {
  const { TERRARIUM_TURN_URLS: urls, TERRARIUM_TURN_SECRET: secret } = env;
  const bindAddress = env.TERRARIUM_MEDIA_HOST ?? (isLoopback(host) && !isLocal ? "0.0.0.0" : host);
  const reach = reachOfHost(env.TERRARIUM_PUBLIC_URL ? new URL(env.TERRARIUM_PUBLIC_URL).hostname : host);
  return {
    port: env.TERRARIUM_MEDIA_PORT,
    address: env.TERRARIUM_MEDIA_ADDRESS,
    bindAddress: ipOf(bindAddress),
    /** Undefined if nobody relays it. */
    turn: secret && urls.length > 0 ? { urls, secret } : undefined,
    reach: env.TERRARIUM_MEDIA_REACH ?? (reach === "loopback" && !isLocal ? "public" : reach),
  };
}

/** Names are public: what they lead to may change. */
function reachOfHost(host: string): Reach {
  const address = host.replace(/^\[|\]$/g, "");
  if (isLoopback(host)) return "loopback";
  return isIP(address) !== 0 && reachOf(address) === "private" ? "private" : "public";
}
