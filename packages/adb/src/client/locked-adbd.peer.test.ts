import { afterAll, describe, expect, it } from "vitest";
import { AdbKey } from "../auth/adb-key.ts";
import { nodeSocketDuplex } from "../connection/node-socket.ts";
import { fetchAdbd } from "../testing/fetch-adbd.ts";
import { startGenuineAdbd, type GenuineAdbd } from "../testing/genuine-adbd.ts";
import { connectAdb } from "./connect-adb.ts";

const known = new AdbKey(await AdbKey.generatePem(), "me@here");

/** A daemon that asks for this key, or why there is none. */
async function tryToStart(): Promise<GenuineAdbd | string> {
  const adbd = await fetchAdbd();
  if ("missing" in adbd) return adbd.missing;
  return await startGenuineAdbd(adbd, { keys: [known.publicKey] }).catch((error: Error) => error.message);
}

const adbd = await tryToStart();
if (typeof adbd === "string") console.warn(`skipped: the client's key against the genuine adbd, since ${adbd}`);

describe.skipIf(typeof adbd === "string")("connectAdb with a genuine adbd that asks for a key", () => {
  const daemon = adbd as GenuineAdbd;
  afterAll(() => daemon.stop());

  const connect = async (key?: AdbKey, signal = AbortSignal.timeout(5000)) =>
    connectAdb(nodeSocketDuplex(await daemon.connect()), { key: key && (() => key), signal });

  it("is let in with a key that is known", async () => {
    const link = await connect(known);
    expect((await link.shell("echo in")).stdout).toBe("in\n");
    link.close();
  });

  it("waits with another key, which nobody accepts", async () => {
    const stranger = new AdbKey(await AdbKey.generatePem(), "me@elsewhere");
    const giveUp = new AbortController();
    const connecting = connect(stranger, giveUp.signal);
    // It is asked after the stranger, and answers at once.
    (await connect(known)).close();
    giveUp.abort(new Error("nobody accepts it"));
    await expect(connecting).rejects.toThrow("nobody accepts it");
  });

  it("is told to come with a key", async () => {
    await expect(connect()).rejects.toMatchObject({ code: "AUTH_REQUIRED" });
  });
});
