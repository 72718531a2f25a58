import type { Instance, Organization } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { outcomeOf, sharing } from "../../testing/sharing.ts";

describe("a device of a shared recipe", () => {
  it("counts for the recipe's organization, whose managers see and stop it", async () => {
    const { gil, otto, robin, stranger, manager, own, other, share, startAs } = await sharing({ instances_max: 2 });
    await share(gil, otto);
    const device = (await startAs(gil)).json<Instance>();
    expect((await startAs(otto)).statusCode).toBe(201);
    expect(outcomeOf(await startAs(robin))).toBe("403 TOO_MANY_RUNNING_VDS");
    expect((await robin.get(`/v1/organizations/${own}`)).json<Organization>().running_instances).toBe(2);
    expect((await stranger.get(`/v1/organizations/${other}`)).json<Organization>().running_instances).toBe(0);
    expect((await manager.get("/v2/instances?organization_wide=true")).json().count).toBe(2);
    expect((await stranger.get("/v2/instances?organization_wide=true")).json().count).toBe(0);
    expect((await stranger.get(`/v1/instances/${device.uuid}`)).statusCode).toBe(404);
    expect((await manager.post(`/v1/instances/${device.uuid}/stop-disposable`)).json().state).toBe("STOPPING");
  });

  it("keeps within the limit however many start at once", async () => {
    const { gil, otto, robin, kim, own, share, startAs } = await sharing({ instances_max: 3 });
    await share(gil, otto);
    const people = [gil, otto, robin, kim, gil, otto, robin, kim];
    const outcomes = await Promise.all(
      people.map(async (person, index) => outcomeOf(await startAs(person, `${index}`))),
    );
    expect(outcomes.sort()).toEqual([
      ...Array.from({ length: 3 }, () => "201"),
      ...Array.from({ length: 5 }, () => "403 TOO_MANY_RUNNING_VDS"),
    ]);
    expect((await robin.get(`/v1/organizations/${own}`)).json<Organization>().running_instances).toBe(3);
  });

  it("has the timeouts, the architectures and the license of the recipe's organization", async () => {
    const { gil, otto, db, own, share, startAs } = await sharing();
    await share(gil, otto);
    const set = (fields: object) => db.updateTable("organizations").set(fields).where("uuid", "=", own).execute();
    await set({ timeout_inactivity: 15, timeout_global: 60 });
    for (const person of [gil, otto])
      expect((await startAs(person)).json<Instance>().timeouts).toEqual({ inactivity: 15, global: 60 });
    await set({ supported_arch: ["x86"] });
    for (const person of [gil, otto]) expect(outcomeOf(await startAs(person))).toBe("403 ARCH_NOT_SUPPORTED");
    await set({ license_is_active: false });
    for (const person of [gil, otto]) expect(outcomeOf(await startAs(person))).toBe("403 INVALID_LICENSE");
  });

  it("is its owner's alone: other recipients know nothing of it", async () => {
    const { gil, otto, robin, share, startAs } = await sharing();
    await share(gil, otto);
    const { uuid } = (await startAs(gil)).json<Instance>();
    expect((await gil.get(`/v1/instances/${uuid}`)).json().recipe).toMatchObject({ name: "Fern", source: "CUSTOM" });
    expect((await gil.post("/v1/instances/access-token", { instance_uuid: uuid })).statusCode).toBe(200);
    expect(outcomeOf(await otto.get(`/v1/instances/${uuid}`))).toBe("404 INSTANCE_NOT_FOUND");
    expect(outcomeOf(await robin.get(`/v1/instances/${uuid}`))).toBe("403 INSTANCE_NOT_ALLOWED");
    expect((await otto.get("/v2/instances")).json().count).toBe(0);
  });

  it("shows nothing new of its recipe once that is no longer shared", async () => {
    const { gil, robin, manager, recipe, share, startAs } = await sharing();
    const { uuid: shared } = await share(gil);
    const { uuid } = (await startAs(gil)).json<Instance>();
    await robin.delete(`/v1/shares/${shared}`);
    await robin.put(`/v2/recipes/${recipe}`, { name: "Secret" });
    expect((await gil.get(`/v1/instances/${uuid}`)).json().recipe).toBeNull();
    expect((await gil.get("/v2/instances")).json().results).toMatchObject([{ uuid, recipe: null }]);
    expect((await manager.get("/v2/instances?organization_wide=true")).json().results).toMatchObject([{ uuid }]);
    await share(gil);
    expect((await gil.get(`/v1/instances/${uuid}`)).json().recipe).toMatchObject({ name: "Secret" });
  });
});
