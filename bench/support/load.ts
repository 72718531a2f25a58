import autocannon from "autocannon";

/** `load.ts URL CONNECTIONS API-TOKEN...`: prints the requests per second over four seconds. Connections use the tokens in turn. */
const [url = "", connections = "1", ...tokens] = process.argv.slice(2);
let connected = 0;
const { requests, non2xx, errors } = await autocannon({
  url,
  connections: Number(connections),
  duration: 4,
  setupClient: (client) => client.setHeaders({ "x-api-token": tokens[connected++ % tokens.length] ?? "" }),
});
if (non2xx + errors > 0) throw new Error(`${non2xx} responses with another status than 2xx, ${errors} errors`);
console.log(requests.total);
