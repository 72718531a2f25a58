import { sql } from "kysely";
import type { Database } from "../database/schema.ts";
import { type GatewayDevice, upsertGateway, writeFound } from "../features/instances/gateways.ts";
import { setUpRequiredTotp, type SignedInWith } from "./second-factor.ts";
import type { TestApp } from "./app.ts";
import { aUser } from "./factories.ts";

/** Whoever runs the service, signed in as they have to: with an authenticator app. */
export async function anOperator(
  test: Pick<TestApp, "call" | "clock" | "db">,
  fields: NonNullable<Parameters<typeof aUser>[1]>["fields"] = {},
) {
  const { call, db } = test;
  const user = await aUser(db, { role: "guest", fields: { is_operator: true, ...fields } });
  const signedIn: SignedInWith = await setUpRequiredTotp(test, user);
  const headers = { authorization: `Bearer ${signedIn.token}` };
  return {
    user,
    ...signedIn,
    headers,
    get: (path: string) => call("GET", path, { headers }),
    post: (path: string, body?: object) => call("POST", path, { body, headers }),
    put: (path: string, body?: object) => call("PUT", path, { body, headers }),
    delete: (path: string, body?: object) => call("DELETE", path, { body, headers }),
  };
}

/** A job that was given up; returns its number. */
export async function aFailedJob({ db, clock }: Pick<TestApp, "db" | "clock">, name = "send-mail"): Promise<number> {
  const now = new Date(clock.now());
  const { rows } = await sql<{ id: number }>`
    INSERT INTO jobs (name, payload, state, attempts, due_at, last_error, created_at, ended_at)
    VALUES (${name}, '{}', 'dead', 24, ${now}, 'the server refused it', ${now}, ${now}) RETURNING id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Names what `aFoundDevice` adds. */
export const foundDevice = { gateway: "desk", runtime: "adb-pool", key: "R5CT10XYZAB" };

/** A gateway that has found a phone, one that is not ready, and one that says what cannot be. */
export async function aFoundDevice(
  db: Database,
  hardware: Partial<NonNullable<GatewayDevice["hardware"]>> = {},
): Promise<void> {
  const { gateway, runtime, key } = foundDevice;
  await upsertGateway(db, gateway, "127.0.0.1:1");
  const device = {
    runtime,
    key,
    name: "Google Pixel 7",
    isFree: true,
    image: {
      artefact: "model:Pixel 7",
      osVersion: "14.0",
      sdkVersion: 34,
      arch: "arm64",
      imageVersion: "UQ1A",
    } as const,
    hardware: {
      formFactor: "PHONE" as const,
      displays: [{ width: 1080, height: 2400, density: 420 }],
      hwNavigationKeys: false,
      cpuCount: 8,
      ramMb: 7600,
      dataDiskMb: 110_000,
      properties: { product_model: "Pixel 7" },
      ...hardware,
    },
  };
  const machine = [{ what: "kvm" as const, is_possible: false, says: "there is no /dev/kvm", help: null }];
  const odd = {
    ...device,
    key: "R8",
    hardware: { ...device.hardware, displays: [{ width: 9000, height: 1, density: 1 }] },
  };
  const unready = { runtime, key: "R6", name: "R6", isFree: false, problem: "unauthorized" };
  await writeFound(db, gateway, { machine, devices: [device, unready, odd] });
}
