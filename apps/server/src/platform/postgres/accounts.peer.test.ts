import { chmod, chown, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { canReach } from "./database-user.ts";
import { query, startOwner } from "./owner.testing.ts";
import { startPostgres } from "./start-postgres.ts";

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };
/** In a clone below /root, another account cannot run our programs. */
const canRunAsNobody = isRoot && (await canReach(import.meta.dirname, nobody));

describe("startPostgres as root, where the database's account cannot enter", () => {
  it.runIf(isRoot)("stores the files elsewhere, finds them again, and fails when they are gone", async () => {
    const closed = await mkdtemp(join(tmpdir(), "terrarium-peer-closed-"));
    onTestFinished(() => rm(closed, { recursive: true, force: true }));
    await chmod(closed, 0o700);
    const dataDir = join(closed, "data");

    const first = await startPostgres({ dataDir });
    const [home = ""] = (await readFile(join(dataDir, "database-files.path"), "utf8")).split("\n");
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await first.stop();
    expect(home).not.toContain(closed);

    const second = await startPostgres({ dataDir });
    expect(await query(second.url, "TABLE kept")).toEqual([{ one: 1 }]);
    await second.stop();

    await rm(home, { recursive: true });
    await expect(startPostgres({ dataDir })).rejects.toThrow(`should be in ${home}, which is not there`);
  });
});

describe("startPostgres under an ordinary account", () => {
  it.runIf(canRunAsNobody || !isRoot)("creates, stops, starts again and adopts", async () => {
    const user = isRoot ? nobody : undefined;
    const outer = await mkdtemp(join(tmpdir(), "terrarium-peer-user-"));
    onTestFinished(() => rm(outer, { recursive: true, force: true }));
    await chmod(outer, 0o755);
    const dataDir = join(outer, "data");
    await mkdir(dataDir, { mode: 0o700 });
    if (user) await chown(dataDir, user.uid, user.gid);

    const first = await startOwner(dataDir, user);
    await query(first.report.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await first.stop();
    const second = await startOwner(dataDir, user);
    expect(second.report.adopted).toBe(false);
    await second.kill();
    const third = await startOwner(dataDir, user);
    onTestFinished(() => third.stop());
    expect(third.report.adopted).toBe(true);
    expect(await query(third.report.url, "TABLE kept")).toEqual([{ one: 1 }]);
  });
});
