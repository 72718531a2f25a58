import type { BillingAddress, Organization } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aTaxOffice } from "./testing/tax-office.ts";

const path = "/v1/billing/addresses";
const lane = {
  street: "1 Moss Lane",
  additional_info: "Floor 2",
  city: "Fernham",
  state: null,
  postcode: "10115",
  country: "DE",
};
const broadway = { street: "5 Broadway", city: "New York", state: "NY", postcode: "10004", country: "US" };

async function setUp(more: Parameters<typeof createTestApp>[0] = {}) {
  const test = await createTestApp(more);
  const manager = await test.as({ role: "manager" });
  const organization = manager.user.organization_uuid ?? "";
  const own = `/v1/organizations/${organization}`;
  const add = async (body: object) => {
    await test.clock.advance(1000);
    const answer = await manager.post(path, body);
    return { status: answer.statusCode, ...answer.json<BillingAddress & { code?: string }>() };
  };
  const list = async () => (await manager.get(path)).json<{ results: BillingAddress[] }>().results;
  const look = async () => (await manager.get(own)).json<Organization>();
  const edit = async (body: object) => (await manager.put(own, body)).json<Organization & { code?: string }>();
  return { ...test, manager, organization, own, add, list, look, edit };
}

describe("billing addresses", () => {
  it("are called the default address unless one gives them a name", async () => {
    const { add, list } = await setUp();
    const first = await add(lane);
    expect(first).toMatchObject({ status: 201, name: "default address", ...lane, is_default: true });
    const second = await add({ ...broadway, name: "Office" });
    expect(second).toMatchObject({ name: "Office", additional_info: "", state: "NY", is_default: false });
    expect((await list()).map(({ uuid }) => uuid)).toEqual([first.uuid, second.uuid]);
  });

  it("are changed as a whole, and keep their name", async () => {
    const { add, list, manager } = await setUp();
    const { uuid } = await add({ ...lane, name: "Home" });
    const edited = await manager.put(`${path}/${uuid}`, broadway);
    expect([edited.statusCode, edited.json()]).toEqual([
      200,
      { uuid, name: "Home", ...broadway, additional_info: "", is_default: true, created_at: expect.any(String) },
    ]);
    expect(await list()).toEqual([edited.json()]);
  });

  it.each([
    [{ ...lane, street: " " }, "street"],
    [{ ...lane, city: undefined }, "city"],
    [{ ...lane, postcode: "x".repeat(251) }, "postcode"],
    [{ ...lane, country: "XX" }, "country"],
    [{ ...lane, name: "a\u0000b" }, "name"],
  ])("are refused with what is wrong: %j", async (body, field) => {
    const { manager } = await setUp();
    const answer = await manager.post(path, body);
    expect([answer.statusCode, answer.json().fields.map((issue: { field: string }) => issue.field)]).toEqual([
      400,
      [field],
    ]);
  });

  it("are ten at most, also when they are added at once", async () => {
    const { manager, list } = await setUp();
    const answers = await Promise.all(Array.from({ length: 12 }, () => manager.post(path, lane)));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10);
    const all = await list();
    expect([all.length, all.filter(({ is_default }) => is_default).length]).toEqual([10, 1]);
  });

  it("are one with the address of the organization: the default is what invoices name", async () => {
    const { add, list, look, edit, manager, own, clock } = await setUp();
    const first = await add(lane);
    expect((await look()).address).toEqual(lane);
    expect(await add(broadway)).toMatchObject({ is_default: false });
    const second = await add({ ...broadway, is_default: true });
    expect((await look()).address).toMatchObject(broadway);
    await manager.put(`${path}/${first.uuid}`, { ...lane, is_default: true });
    expect((await look()).address).toEqual(lane);
    await edit({ address: { ...lane, street: "2 Moss Lane" } });
    expect((await list()).map(({ uuid, street }) => [uuid, street])).toEqual([
      [first.uuid, "2 Moss Lane"],
      [expect.any(String), "5 Broadway"],
      [second.uuid, "5 Broadway"],
    ]);
    expect((await manager.put(own, { address: null })).json().address).toBeNull();
    expect(await list()).toHaveLength(2);
    await clock.advance(1000);
    await edit({ address: lane });
    expect((await list()).map(({ is_default }) => is_default)).toEqual([false, false, true]);
  });

  it("stay while there is a plan", async () => {
    const { add, edit, look, db, organization } = await setUp();
    await add(lane);
    const at = new Date("2026-03-01T00:00:00Z");
    await db
      .insertInto("subscriptions")
      .values({
        uuid: organization,
        organization_uuid: organization,
        plan: "payg",
        quantity: 1,
        price: 5,
        currency: "USD",
        period_began_at: at,
        period_ends_at: new Date("2026-03-08T00:00:00Z"),
        created_at: at,
      })
      .execute();
    await db
      .insertInto("subscription_statuses")
      .values({ subscription_uuid: organization, revision: 1, status: "ACTIVE", cancel_at_period_end: false, at })
      .execute();
    expect((await edit({ address: null })).code).toBe("BILLING_ADDRESS_IN_USE");
    expect((await look()).address).toEqual(lane);
  });

  it("are for managers of the organization", async () => {
    const { add, as, organization, own } = await setUp();
    const { uuid } = await add(lane);
    const member = await as({ organization });
    expect((await member.get(path)).statusCode).toBe(403);
    expect((await member.get(own)).json()).toMatchObject({ address: null, tax_rate: null });
    const stranger = await as({ role: "manager" });
    expect((await stranger.get(path)).json().results).toEqual([]);
    expect((await stranger.put(`${path}/${uuid}`, lane)).json().code).toBe("BILLING_ADDRESS_NOT_FOUND");
  });
});

describe("a VAT number", () => {
  it("is stored with the letters of its country, and decides the tax", async () => {
    const { edit, look } = await setUp();
    expect((await look()).tax_rate).toBeNull();
    await edit({ address: lane });
    expect((await look()).tax_rate).toEqual({ display_name: "VAT", jurisdiction: "DE", percentage: 19 });
    expect(await edit({ vat_number: "136 695 976" })).toMatchObject({
      vat_number: "DE136695976",
      tax_rate: { display_name: "Reverse charge", jurisdiction: "DE", percentage: 0 },
    });
    expect((await edit({ vat_number: "" })).tax_rate?.percentage).toBe(19);
    expect((await edit({ address: broadway })).tax_rate).toEqual({
      display_name: "No tax",
      jurisdiction: "US",
      percentage: 0,
    });
  });

  it("is taxed where the seller is", async () => {
    const { edit } = await setUp({ taxes: { sellerCountry: "DE" } });
    expect((await edit({ address: lane, vat_number: "DE136695976" })).tax_rate?.percentage).toBe(19);
  });

  it.each([
    [{ vat_number: "DE136695975" }],
    [{ vat_number: "136695976" }],
    [{ address: lane, vat_number: "FR40303265045" }],
    [{ address: broadway, vat_number: "<b>1</b>" }],
  ])("that is none is refused, and nothing is changed: %j", async (body) => {
    const { manager, own, look } = await setUp();
    const answer = await manager.put(own, { name: "Other", ...body });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { code: "VAT_NUMBER_INVALID", fields: [{ field: "vat_number" }] },
    ]);
    expect(await look()).toMatchObject({ name: "Fernworks", vat_number: "", address: null });
  });

  it("that was there before stays what it is", async () => {
    const { db, edit, organization } = await setUp();
    await db.updateTable("organizations").set({ vat_number: "old 1" }).where("uuid", "=", organization).execute();
    expect(await edit({ vat_number: "old 1", company_name: "Moss Ltd" })).toMatchObject({
      vat_number: "old 1",
      company_name: "Moss Ltd",
    });
  });

  it("is looked up where the operator wants it, and counts while nobody tells", async () => {
    const office = await aTaxOffice();
    const { edit } = await setUp({ taxes: { sellerCountry: "FR", viesUrl: office.url } });
    await edit({ address: lane });
    office.answer = { isValid: false, userError: "INVALID" };
    expect((await edit({ vat_number: "DE136695976" })).code).toBe("VAT_NUMBER_INVALID");
    office.answer = { isValid: false, userError: "MS_UNAVAILABLE" };
    expect((await edit({ vat_number: "DE136695976" })).vat_number).toBe("DE136695976");
    await edit({ vat_number: "" });
    office.answer = { isValid: true, userError: "VALID" };
    expect((await edit({ vat_number: "DE136695976" })).vat_number).toBe("DE136695976");
    expect(office.asked).toEqual(Array(3).fill("/ms/DE/vat/136695976"));
    await edit({ vat_number: "" });
    await office.stop();
    expect((await edit({ vat_number: "DE136695976" })).vat_number).toBe("DE136695976");
  });
});
