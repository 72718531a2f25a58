import { usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { TestServer, demo } from "@terrarium/e2e/support/server.ts";
import { print, spread } from "./support/figures.ts";

/** Lists of recipes in an organization that has 10,000: how long each takes, and its CPU time. */

const RECIPES = 10_000;
const AT_ONCE = 16;
const CALLS = 300;

const server = await TestServer.start();
try {
  const { client, token } = await server.signIn(demo.manager);
  const [official] = (await client.recipes.list({ query: { source: "official" } })).results;
  if (!official?.hardware_profile || !official.os_image) throw new Error("the catalogue has no recipe");
  const parts = { hardware_profile_uuid: official.hardware_profile.uuid, os_image_uuid: official.os_image.uuid };
  for (let first = 1; first <= RECIPES; first += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, RECIPES + 1 - first) }, (_, index) =>
        client.recipes.create({ body: { name: `Recipe ${first + index}`, description: "", ...parts } }),
      ),
    );

  console.log(`Lists of recipes, of ${RECIPES}`);
  const queries = {
    "first page": "",
    "last page": `page=${Math.ceil(RECIPES / 12)}`,
    search: "search=999",
    "search for nothing": "search=zzz",
    "one architecture": "arch=arm64",
    "one's own": "source=shared",
  };
  for (const [label, query] of Object.entries(queries)) {
    const before = await usage();
    const took: number[] = [];
    for (let call = 0; call < CALLS; call++) {
      const start = performance.now();
      const reply = await fetch(`${server.url}/cloud/v3/recipes?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await reply.text();
      if (!reply.ok) throw new Error(`${query}: ${reply.status}`);
      took.push(performance.now() - start);
    }
    const after = await usage();
    const each = (index: 0 | 1) => (((after[index] - before[index]) / CALLS) * 1e3).toFixed(1);
    print(label, `${spread(took, 1)} ms; CPU ${each(0)} ms Node + ${each(1)} ms PostgreSQL`);
  }
} finally {
  await server.stop();
}

async function usage(): Promise<[number, number]> {
  const [node, database] = [
    await usageOfRoles(server.dataDir, "server"),
    await usageOfRoles(server.dataDir, "database", "backend"),
  ];
  return [node.cpuSeconds, database.cpuSeconds];
}
