import { Client } from "pg";

const TIMEOUT_MS = 5_000;

/** True when the server accepts our password, proves that it knows it too (SCRAM does both), and answers a query within 5 s. */
export async function canConnect(url: string): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
