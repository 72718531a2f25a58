import { AppError, type ArrivingBody, type InstalledApp, isErrorCode } from "@terrarium/contract";
import { forwardBody } from "../../platform/http/forward-body.ts";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { findGatewayOf } from "./gateways.ts";
import { getInstance, type InstanceDeps } from "./instances.ts";
import { appsPathOf } from "./visit-path.ts";

export interface InstallDeps extends InstanceDeps {
  limiter: DatabaseRateLimiter;
  /** What an operator lets an app have. */
  maxAppBytes: number;
}

/** Each may fill a disk; a pipeline that tests build after build stays well below. */
const installsOfUser: Limit = { name: "apps that a user installs", max: 120, windowMs: 60_000 };

/**
 * Installs an app on a device of the caller's own, and opens it: whoever may look at a device may use it. The file goes to the device's
 * gateway while it arrives, and is not stored.
 */
export async function installApp(
  deps: InstallDeps,
  actor: Actor,
  uuid: string,
  body: ArrivingBody,
  by: By,
): Promise<InstalledApp> {
  const { db, clock, audit, accessTokens, limiter, maxAppBytes } = deps;
  await limiter.take(installsOfUser, actor.uuid);
  const { state, organization_uuid: organization } = await getInstance(deps, actor, uuid, "display");
  if (state !== "ONLINE") throw notOnline(state);
  if (body.bytes > maxAppBytes) throw new AppError("BODY_TOO_LARGE", { details: { max_bytes: String(maxAppBytes) } });
  const to = await findGatewayOf(db, clock, uuid, body.gone);
  if (to === undefined) throw new AppError("SERVICE_UNAVAILABLE");
  const { uuid: user, credential } = actor;
  const { access_token: token } = await accessTokens.issue({ instance: uuid, user, role: "owner", credential });
  const answer = await forwardBody({
    to,
    path: appsPathOf(uuid),
    headers: { authorization: `Bearer ${token}` },
    body,
  }).catch((cause: unknown) => {
    throw new AppError("SERVICE_UNAVAILABLE", { cause });
  });
  if (answer.status === 200) {
    const app = answer.json as InstalledApp;
    const subject = { kind: "instance", uuid } as const;
    await audit.record(db, by, {
      action: "instance.install_app",
      subject,
      organization,
      details: { package: app.package_name },
    });
    return app;
  }
  const { code, details } = answer.json as { code: unknown; details?: Record<string, string> };
  if (code === "INSTANCE_NOT_ONLINE") throw notOnline(state);
  throw new AppError(isErrorCode(code) ? code : "SERVICE_UNAVAILABLE", { details });
}

const notOnline = (state: string): AppError =>
  new AppError("INSTANCE_NOT_ONLINE", {
    message: "Apps can only be installed on a virtual device that is online.",
    facts: { state },
  });
