// Starts a device, and stops it whatever happens.
import { createClient, recipeCalled, untilState } from "@terrarium/sdk";

const [baseUrl, apiToken] = process.argv.slice(2);
const client = createClient({ baseUrl, apiToken });

const { recipe } = await recipeCalled(client, "Phone 6.1 in, Android 15");
if (!recipe) throw new Error("There is no such recipe.");
const { uuid } = await client.recipes.start({
  params: { uuid: recipe.uuid },
  // It ends by itself after half an hour, should this program be killed.
  body: { instance_name: "from the SDK", rename_on_conflict: true, timeouts: { inactivity: 0, global: 30 } },
});
try {
  const device = await untilState(client, uuid, "ONLINE", { signal: AbortSignal.timeout(240_000) });
  console.log(`${device.name} is ${device.state}: Android ${device.os_image.os_version.os_version}`);
} finally {
  await client.instances.stop({ params: { uuid } });
}
