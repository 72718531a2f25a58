// Runs a command on a device, without an adb on this machine.
import { createClient } from "@terrarium/sdk";
import { openAdb } from "@terrarium/sdk/adb";

const [baseUrl, apiToken, uuid = ""] = process.argv.slice(2);
const client = createClient({ baseUrl, apiToken });

const adb = await openAdb(client, uuid);
console.log((await adb.subprocess.noneProtocol.spawnWaitText("getprop ro.product.model")).trim());
await adb.close();
