import autocannon from "autocannon";

/** `load.ts URL TOKEN CONNECTIONS`: prints the requests a second of four seconds. */
const [url = "", token = "", connections = "1"] = process.argv.slice(2);
const { requests, non2xx, errors } = await autocannon({
  url,
  headers: { authorization: `Bearer ${token}` },
  connections: Number(connections),
  duration: 4,
});
if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors`);
console.log(requests.average);
