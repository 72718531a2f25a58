import { type InstanceEvent, type InstanceState, nextState, supervisedStates } from "@terrarium/contract";
import type { DeviceRuntime, LayerStore, Machine } from "@terrarium/runtime";
import { FakeMachines, fakeRuntime } from "@terrarium/runtime/testing";
import fc from "fast-check";
import { type KyselyPlugin, sql } from "kysely";
import { expect, it } from "vitest";
import type { Schema } from "../../database/schema.ts";
import { createDatabase } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { aGateway } from "../../testing/gateway.ts";
import { BEAT_MS } from "./gateways.ts";

const RUNS = 10;
const MAX_STEPS = 40;
/** Beats after which whatever was begun has ended: a dead gateway's leases are over, and slow starts and saves are. */
const SETTLING_BEATS = 12;

/** About how many queries follow each other when a gateway renews its leases. */
const RENEWAL_QUERIES = 8;

/** `of` counts devices, from the newest. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("start" as const), beats: fc.nat(3) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom("save" as const, "save_as" as const, "save" as const, "stop" as const, "dismiss" as const),
      of: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("crash" as const, "loseLease" as const), of: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("pass" as const), beats: fc.integer({ min: 1, max: 3 }) }) },
  // A minute without use.
  { weight: 1, arbitrary: fc.record({ does: fc.constant("pass" as const), beats: fc.constant(21) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("restart" as const, "kill" as const) }) },
  // The store of layers is full, or has room again.
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("fill" as const, "empty" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("breathe" as const), turns: fc.integer({ min: 1, max: 60 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a killed process no longer does: it neither writes nor ends machines. */
class Mortal {
  isDead = false;

  /** A plugin for its database. */
  readonly plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (this.isDead) throw new Error("this gateway was killed");
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  runtime(runtime: DeviceRuntime): DeviceRuntime {
    const machine = (made: Machine): Machine => ({
      ...made,
      stop: async () => (this.isDead ? undefined : made.stop()),
    });
    return {
      ...runtime,
      start: async (spec, signal) => machine(await runtime.start(spec, signal)),
      adopt: async (ref) => {
        const adopted = await runtime.adopt(ref);
        return adopted && machine(adopted);
      },
      stop: async (id) => (this.isDead ? undefined : runtime.stop(id)),
    };
  }
}

it(
  "whatever happens to devices, their histories are paths in the table, and what they are saved into is as before or saved",
  { timeout: 300_000 },
  async () => {
    const test = await createTestApp();
    const { db, url, clock, layers } = test;
    const organization = await anOrganization(db, { instances_max: 10_000 });
    const robin = await test.as({ organization });
    const machines = new FakeMachines();
    let gateways = 0;
    let isFull = false;
    const store: LayerStore = {
      put: async (bytes, signal) => {
        if (isFull) throw new Error("the store is full");
        return layers.put(bytes, signal);
      },
      has: (layer) => layers.has(layer),
      get: (layer, signal) => layers.get(layer, signal),
    };

    const begin = async () => {
      const mortal = new Mortal();
      const own = createDatabase<Schema>(url).withPlugin(mortal.plugin);
      const runtime = fakeRuntime({ name: "simulator", machines, layers: store, clock, startMs: 1_000, saveMs: 4_000 });
      const gateway = await aGateway({ db: own, url, clock }, mortal.runtime(runtime), { name: `g${++gateways}` });
      return {
        async leave() {
          try {
            await gateway.leave();
          } finally {
            await own.destroy();
          }
        },
        async kill() {
          mortal.isDead = true;
          // Its row stays, and its beat stands still.
          await gateway.leave().catch(() => undefined);
          await own.destroy();
        },
      };
    };
    const pass = async (beats: number) => {
      for (let beat = 0; beat < beats; beat++) {
        await clock.advance(BEAT_MS);
        await breathe(20);
      }
    };
    const settle = async () => {
      const moving = supervisedStates.filter((state) => state !== "ONLINE");
      for (let tries = 0; ; tries++) {
        for (let beat = 0; beat < SETTLING_BEATS; beat++) {
          await pass(1);
          // A gateway that is asked to look less often than it should trusts nothing that it saw, so time must not outrun the database.
          for (let turn = 0; turn < RENEWAL_QUERIES; turn++) await sql`SELECT 1`.execute(db);
        }
        const left = await db.selectFrom("instances").select(["state", "uuid"]).where("state", "in", moving).execute();
        if (left.length === 0) return;
        if (tries > 30) throw new Error(`still ${left.map(({ state }) => state).join()}`);
      }
    };

    const run = async (steps: Step[]) => {
      const image = await aCustom(db, "os_images", robin.user);
      const recipe = await aCustom(db, "recipes", robin.user, { os_image_uuid: image });
      const devices: string[] = [];
      let gateway = await begin();
      const doStep = async (each: Step): Promise<unknown> => {
        if (each.does === "breathe") return breathe(each.turns);
        if (each.does === "pass") return pass(each.beats);
        if (each.does === "start") {
          const body = { instance_name: "one", rename_on_conflict: true, timeouts: { inactivity: 1, global: 0 } };
          const reply = await robin.post(`/v1/recipes/${recipe}/start-disposable`, body);
          if (reply.statusCode === 201) devices.push(reply.json().uuid);
          return pass(each.beats);
        }
        if (each.does === "fill" || each.does === "empty") return (isFull = each.does === "fill");
        if (!("of" in each)) {
          await (each.does === "kill" ? gateway.kill() : gateway.leave());
          gateway = await begin();
          return undefined;
        }
        const uuid = devices.at(-1 - each.of);
        if (uuid === undefined) return undefined;
        if (each.does === "crash") return machines.crash(uuid);
        if (each.does === "loseLease")
          return sql`UPDATE instances SET lease_holder = NULL, lease_epoch = lease_epoch + 1 WHERE uuid = ${uuid}`.execute(
            db,
          );
        machines.running.get(uuid)?.state.set("note", `${each.does} ${Math.random()}`);
        if (each.does === "save" || each.does === "save_as")
          return robin.post(`/v1/instances/${uuid}/save`, { action: each.does });
        return robin.post(`/v1/instances/${uuid}/${each.does === "stop" ? "stop-disposable" : "dismiss"}`);
      };
      for (const each of steps) await doStep(each);
      isFull = false;
      await settle();
      await gateway.leave();
      await checkHistories();
      await checkSaved();
    };

    const checkHistories = async () => {
      // Of one moment, as a row and its history are written in one statement.
      const { events, rows } = await transaction(
        db,
        async (trx) => ({
          events: await trx
            .selectFrom("instance_events")
            .selectAll()
            .orderBy("instance_uuid")
            .orderBy("revision")
            .execute(),
          rows: await trx.selectFrom("instances").select(["uuid", "state"]).execute(),
        }),
        "repeatable read",
      );
      const states = new Map<string, InstanceState>();
      for (const { instance_uuid: uuid, event, from_state, to_state } of events) {
        expect([uuid, from_state]).toEqual([uuid, states.get(uuid) ?? null]);
        const expected = from_state === null ? "CREATING" : nextState(from_state, event as InstanceEvent);
        expect([uuid, from_state, event, to_state]).toEqual([uuid, from_state, event, expected]);
        states.set(uuid, to_state);
      }
      for (const { uuid, state } of rows) expect([uuid, state]).toEqual([uuid, states.get(uuid)]);
    };

    /** Nothing is being saved any more: what could be used before can be used, and all it consists of is stored. */
    const checkSaved = async () => {
      const images = await db.selectFrom("os_images").selectAll().where("is_official", "=", false).execute();
      const recipes = await db.selectFrom("recipes").selectAll().where("is_official", "=", false).execute();
      const states = [...images, ...recipes].map(({ status }) => status);
      expect(states.filter((status) => status !== "READY" && status !== "ERROR")).toEqual([]);
      for (const { uuid, layers: own, previous_layers: former } of images)
        for (const layer of [...own, ...(former ?? [])]) expect([uuid, await layers.has(layer)]).toEqual([uuid, true]);
      const saves = await db
        .selectFrom("instances")
        .innerJoin("os_images", (join) => join.on(sql`(save ->> 'osImageUuid')::uuid`, "=", sql.ref("os_images.uuid")))
        .select(["instances.uuid", "instances.save", "os_images.status", "os_images.layers"])
        .execute();
      for (const { uuid, save, status, layers: own } of saves) {
        // What a new recipe was saved into is in ERROR exactly if it has no layers.
        const expected = save?.action === "save_as" && own.length === 0 ? "ERROR" : "READY";
        expect([uuid, status]).toEqual([uuid, expected]);
      }
    };

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: MAX_STEPS / 2, maxLength: MAX_STEPS, size: "max" }), run),
      {
        numRuns: RUNS,
        interruptAfterTimeLimit: 120_000,
      },
    );
    const count = async (event: InstanceEvent) =>
      (await db.selectFrom("instance_events").select("id").where("event", "=", event).execute()).length;
    const counts = await Promise.all((["booted", "save", "saved", "saveFailed", "fail"] as const).map(count));
    console.log("booted %i, save %i, saved %i, saveFailed %i, fail %i", ...counts);
  },
);

async function breathe(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
