import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import type { Puzzle } from "@terrarium/contract";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Client } from "pg";
import { solvePuzzle } from "../apps/server/src/features/bot-check/testing/solve-puzzle.ts";
import { hashPassword, passwordMatches } from "../apps/server/src/features/users/passwords.ts";
import { percentile, print } from "./support/figures.ts";

/**
 * Whether the time of an answer tells if an account has an e-mail address, and whether hashing holds up the event loop. Known and unknown
 * addresses are asked for in turn, so that what else the machine does slows both alike.
 */

const PAIRS = 80;
const HASHES = 100;
const PASSWORD = "a better horse 2";

/** Limits count by address: each call comes from another one of loopback. */
let calls = 0;
const anAddress = () => `127.1.${Math.floor(++calls / 250)}.${(calls % 250) + 1}`;

/** Milliseconds until the answer. */
function call(url: URL, status: number, body: object): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const options = { method: "POST", localAddress: anAddress(), headers: { "content-type": "application/json" } };
    const asked = request(url, options, (reply) => {
      reply.resume().on("end", () => {
        if (reply.statusCode === status) resolve(performance.now() - began);
        else reject(new Error(`${url.pathname}: ${reply.statusCode}`));
      });
    });
    asked.on("error", reject).end(JSON.stringify(body));
  });
}

/** The ratio of two medians, and between what bounds it is in nine of ten samples drawn anew. */
function ratioOf(known: number[], unknown: number[]): string {
  const drawn = (figures: number[]) => figures.map(() => figures[Math.floor(Math.random() * figures.length)] ?? 0);
  const ratio = (one: number[], other: number[]) => percentile(one, 0.5) / percentile(other, 0.5);
  const ratios = Array.from({ length: 2000 }, () => ratio(drawn(known), drawn(unknown)));
  const [low, high] = [percentile(ratios, 0.05), percentile(ratios, 0.95)];
  const median = (figures: number[]) => percentile(figures, 0.5).toFixed(1);
  // What the machine does besides delays the quickest tenth least.
  const quickest = percentile(known, 0.1) / percentile(unknown, 0.1);
  return (
    `known ${median(known)} ms, unknown ${median(unknown)} ms, ratio ${ratio(known, unknown).toFixed(3)} ` +
    `(${low.toFixed(3)} to ${high.toFixed(3)}), of the quickest tenth ${quickest.toFixed(3)}`
  );
}

async function delayWhile(work: () => Promise<unknown>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await work();
  delay.disable();
  const ms = (nanoseconds: number) => `${(nanoseconds / 1e6).toFixed(1)} ms`;
  return `p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, most ${ms(delay.max)} in ${(performance.now() - began).toFixed(0)} ms`;
}

const server = await TestServer.start({ TERRARIUM_PUZZLE_COST: "1" });
const sql = new Client(await readFile(join(server.dataDir, "database-url"), "utf8"));
try {
  await sql.connect();
  const base = server.url.replace("localhost", "127.0.0.1");
  const at = (path: string) => new URL(`/cloud${path}`, base);
  await sql.query(
    `INSERT INTO users (uuid, email, first_name, last_name, organization_uuid, password_hash, created_at)
      SELECT gen_random_uuid(), 'known' || n || '@demo.test', '', '', NULL, password_hash, created_at
      FROM users, generate_series(1, $2::int) AS n WHERE email = $1`,
    [demo.user.email, PAIRS * 4 + 20],
  );
  const puzzle = async () => (await fetch(at("/v1/users/puzzle"))).json() as Promise<Puzzle>;
  const ways = {
    "Sign-in with a wrong password": (email: string) => call(at("/v1/users/login"), 401, { email, password: "wrong" }),
    "Request for a new password": (email: string) => call(at("/v1/users/password/request"), 204, { email }),
    "Sign-up": async (email: string) => {
      const turnstileCaptcha_token = await solvePuzzle(await puzzle());
      return call(at("/v1/users"), 201, { email, password: PASSWORD, turnstileCaptcha_token });
    },
    "Another mail to confirm": (email: string) => call(at("/v1/users/activate/resend"), 204, { email }),
  };
  console.log(`Answers to known and unknown addresses, ${PAIRS} of each in turn`);
  let account = 0;
  for (const [label, ask] of Object.entries(ways)) {
    const took = { known: [] as number[], unknown: [] as number[] };
    for (let pair = -4; pair < PAIRS; pair++) {
      account++;
      // Whichever is first has what the other one leaves behind.
      const turns = pair % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
      for (const who of turns) {
        const ms = await ask(`${who}${account}@demo.test`);
        // The first ones warm up.
        if (pair >= 0) took[who].push(ms);
      }
    }
    print(label, ratioOf(took.known, took.unknown));
  }

  console.log("Hashing and the event loop");
  const settings = async () => {
    const began = performance.now();
    await (await fetch(at("/v1/settings"))).text();
    return performance.now() - began;
  };
  const quiet: number[] = [];
  for (let count = 0; count < 200; count++) quiet.push(await settings());
  const busy: number[] = [];
  let isSigningIn = true;
  const signingIn = Promise.all(
    Array.from({ length: HASHES }, (_, index) =>
      call(at("/v1/users/login"), 401, { email: `busy${index}@demo.test`, password: "wrong" }),
    ),
  ).finally(() => (isSigningIn = false));
  while (isSigningIn) busy.push(await settings());
  await signingIn;
  const of = (figures: number[]) =>
    `p50 ${percentile(figures, 0.5).toFixed(1)} ms, p99 ${percentile(figures, 0.99).toFixed(1)} ms (${figures.length})`;
  print("Another route, quiet", of(quiet));
  print(`Another route, ${HASHES} sign-ins at once`, of(busy));

  const stored = await hashPassword(PASSWORD);
  const lanes = Array.from({ length: HASHES }, (_, lane) => ({ lane: String(lane), isKnown: false }));
  print(
    "Delay of the loop, nothing to do",
    await delayWhile(() => new Promise((resolve) => setTimeout(resolve, 1000))),
  );
  print(
    `Delay of the loop, ${HASHES} passwords compared`,
    await delayWhile(() => Promise.all(lanes.map((turn) => passwordMatches("wrong", stored, turn)))),
  );
} finally {
  await sql.end();
  await server.stop();
}
