import { describe, expect, it } from "vitest";
import { patchOf, said, type ScimReply, withDirectory } from "./testing/directory.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const query = (filter: string) => `filter=${encodeURIComponent(filter)}`;

/** The requests that the documentation of each describes, in their order, with values of ours. */
describe("a directory", () => {
  it("that speaks as Okta does keeps people and groups", async () => {
    const { scim, manager } = await withDirectory();
    // The integration is tested.
    expect(said(await scim("GET", "/Users?startIndex=1&count=2"))).toBe("200");
    expect(said(await scim("GET", "/Groups?startIndex=1&count=100"))).toBe("200");

    // Somebody is assigned.
    const found = await scim("GET", `/Users?${query('userName eq "robin@moss.example"')}&startIndex=1&count=100`);
    expect(found.json()).toMatchObject({ totalResults: 0, Resources: [] });
    const person = {
      schemas: [USER],
      userName: "robin@moss.example",
      name: { givenName: "Robin", familyName: "Reed" },
      emails: [{ primary: true, value: "robin@moss.example", type: "work" }],
      displayName: "Robin Reed",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "1mz050nq",
      active: true,
    };
    const robin = (await scim("POST", "/Users", person)).json<ScimReply>();
    expect(robin).toMatchObject({ externalId: person.externalId, active: true });
    expect(JSON.stringify(robin)).not.toContain(person.password);

    // Their profile changes: all of it is read, and sent back.
    const path = `/Users/${robin.id}`;
    const read = (await scim("GET", path)).json<ScimReply>();
    const renamed = await scim("PUT", path, { ...read, name: { givenName: "Robin", familyName: "Rush" } });
    expect(renamed.json()).toMatchObject({ name: { familyName: "Rush" }, emails: person.emails });

    // Their group is pushed, its people are added and removed, and it is renamed.
    const pushed = { schemas: [GROUP], displayName: "QA", members: [] };
    const group = (await scim("POST", "/Groups", pushed)).json<ScimReply>();
    const groupPath = `/Groups/${group.id}`;
    const member = { value: robin.id, display: "robin@moss.example" };
    const added = await scim("PATCH", groupPath, patchOf({ op: "add", path: "members", value: [member] }));
    expect(added.json()).toMatchObject({ members: [{ value: robin.id }] });
    const rename = { op: "replace", value: { id: group.id, displayName: "Quality" } };
    expect((await scim("PATCH", groupPath, patchOf(rename))).json()).toMatchObject({ displayName: "Quality" });
    const removal = { op: "remove", path: `members[value eq "${robin.id}"]` };
    expect((await scim("PATCH", groupPath, patchOf(removal))).json()).toMatchObject({ members: [] });

    // They are assigned no longer, and then again.
    const off = await scim("PATCH", path, patchOf({ op: "replace", value: { active: false } }));
    expect(off.json()).toMatchObject({ active: false });
    expect((await scim("PUT", path, { ...read, active: true })).json()).toMatchObject({ active: true });
    expect(said(await scim("DELETE", groupPath))).toBe("204");
    expect((await manager.get(`/v1/users/${robin.id}`)).json()).toMatchObject({
      first_name: "Robin",
      is_enabled: true,
    });
  });

  it("that speaks as Entra does keeps people and groups", async () => {
    const { scim, manager } = await withDirectory();
    // The connection is tested with somebody who is not there.
    const tested = await scim("GET", `/Users?${query('userName eq "7f1a0c5e-0000-4000-8000-000000000000"')}`);
    expect(tested.json()).toMatchObject({ totalResults: 0, Resources: [] });

    // Somebody is in scope.
    const robin = (
      await scim("POST", "/Users", {
        schemas: [USER, ENTERPRISE],
        externalId: "robin",
        userName: "Robin@moss.onmicrosoft.example",
        active: true,
        emails: [{ primary: true, type: "work", value: "Robin@moss.example" }],
        meta: { resourceType: "User" },
        name: { formatted: "Robin Reed", familyName: "Reed", givenName: "Robin" },
        roles: [],
        [ENTERPRISE]: { department: "QA" },
      })
    ).json<ScimReply>();
    const path = `/Users/${robin.id}`;
    const matched = await scim("GET", `/Users?${query('emails[type eq "work"].value eq "robin@moss.example"')}`);
    expect(matched.json()).toMatchObject({ totalResults: 1, Resources: [{ id: robin.id }] });

    // They change, in the forms of before and after its SCIM became stricter.
    const changed = await scim(
      "PATCH",
      path,
      patchOf(
        { op: "Replace", path: 'emails[type eq "work"].value', value: "robin@moss.example" },
        { op: "Replace", path: "name.familyName", value: "Rush" },
        { op: "Add", path: `${ENTERPRISE}:manager`, value: [{ $ref: "x", value: "x" }] },
      ),
    );
    expect(changed.json()).toMatchObject({ name: { familyName: "Rush" } });
    const named = {
      "name.givenName": "Rob",
      [`${ENTERPRISE}:department`]: "Lab",
      userName: "rob@moss.onmicrosoft.example",
    };
    expect((await scim("PATCH", path, patchOf({ op: "Add", value: named }))).json()).toMatchObject({
      userName: "rob@moss.onmicrosoft.example",
      name: { givenName: "Rob" },
    });

    // A group is made without its people, found, read without them, and filled.
    const made = await scim("POST", "/Groups", {
      schemas: [GROUP, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      displayName: "QA",
      meta: { resourceType: "Group" },
    });
    const group = made.json<ScimReply>();
    const groupPath = `/Groups/${group.id}`;
    const listed = await scim("GET", `/Groups?excludedAttributes=members&${query('displayName eq "QA"')}`);
    expect(listed.json()).toMatchObject({ totalResults: 1, Resources: [{ id: group.id }] });
    const people = { path: "members", value: [{ $ref: null, value: robin.id }] };
    expect(said(await scim("PATCH", groupPath, patchOf({ op: "Add", ...people })))).toBe("200");
    const isIn = await scim("GET", `/Groups?${query(`id eq "${group.id}" and members eq "${robin.id}"`)}`);
    expect(isIn.json()).toMatchObject({ totalResults: 1 });
    expect((await scim("PATCH", groupPath, patchOf({ op: "Remove", ...people }))).json()).toMatchObject({
      members: [],
    });

    // They leave: first for 30 days, then for good.
    expect(
      (await scim("PATCH", path, patchOf({ op: "Replace", path: "active", value: "False" }))).json(),
    ).toMatchObject({ active: false });
    expect(said(await scim("DELETE", path))).toBe("204");
    expect(said(await scim("GET", path))).toBe("404");
    expect((await manager.get(`/v1/users/${robin.id}`)).json()).toMatchObject({ is_enabled: false });
    expect(said(await scim("DELETE", groupPath))).toBe("204");
  });
});
