// Tells how each device stands, until one has ended.
import { createClient } from "@terrarium/sdk";
import { watchEvents } from "@terrarium/sdk/events";

const [baseUrl, apiToken] = process.argv.slice(2);
const client = createClient({ baseUrl, apiToken });

for await (const { channel, data } of watchEvents({ baseUrl, apiToken })) {
  if (channel === "connected") {
    const { count } = await client.instances.list({ query: {} });
    console.log(`${count} devices`);
  }
  if (channel === "instances") console.log(`${data.name}: ${data.state}`);
  if (channel === "instances" && data.state === "DELETED") break;
}
