import type { OperatedOrganization, OperatedPerson } from "@terrarium/contract";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { MeContext } from "../../session/user.ts";
import { operator } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import OrganizationPage from "./OrganizationPage.tsx";
import OrganizationsPage from "./OrganizationsPage.tsx";
import { anOperatedOrganization, aPerson } from "./testing/operator-rows.ts";

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await page.viewport(1440, 900);
});

const Frame = () => (
  <>
    <Outlet />
    <Snacks />
  </>
);

interface Given {
  organization?: OperatedOrganization;
  people?: OperatedPerson[];
  answers?: Parameters<typeof fakeService>[0];
  address?: string;
}

async function open({
  organization = anOperatedOrganization(),
  people = [aPerson()],
  answers = {},
  address,
}: Given = {}) {
  let present = organization;
  const service = fakeService({
    "GET /v1/operator/organizations": () => aPage([present]),
    "GET /v1/operator/organizations/:uuid": () => present,
    "GET /v1/operator/organizations/:uuid/people": () => aPage(people),
    "PUT /v1/operator/organizations/:uuid": ({ body }) => {
      const { limits } = body as { limits?: Partial<OperatedOrganization["limits"]> };
      return (present = { ...present, limits: { ...present.limits, ...limits } });
    },
    "PUT /v1/operator/people/:uuid/status": () => null,
    "DELETE /v1/operator/people/:uuid/second-factor": () => null,
    "GET /v1/users/:uuid/identities": () => ({ identities: [], has_password: true }),
    ...answers,
  });
  const router = createMemoryRouter(
    [
      {
        Component: Frame,
        children: [
          { path: "/operator/organizations", Component: OrganizationsPage },
          { path: "/operator/organizations/:uuid", Component: OrganizationPage },
        ],
      },
    ],
    { initialEntries: [address ?? `/operator/organizations/${organization.uuid}`] },
  );
  const screen = await render(
    <InTestApp isRouted={false}>
      <MeContext.Provider value={operator}>
        <RouterProvider router={router} />
      </MeContext.Provider>
    </InTestApp>,
  );
  return { screen, service, router };
}

describe("the organizations", () => {
  it("are listed with what matters, and opened", async () => {
    const organization = anOperatedOrganization({ name: "N".repeat(200) });
    const { screen, router } = await open({ organization, address: "/operator/organizations" });
    await expect.element(screen.getByRole("row", { name: /N{200}.*12.*3 of 10.*Pays by use/ })).toBeVisible();
    expect(nameless()).toEqual([]);
    await screen.getByRole("button", { name: /^Open N/ }).click();
    expect(router.state.location.pathname).toBe(`/operator/organizations/${organization.uuid}`);
  });

  it("are those that the address asks for", async () => {
    const { screen, service } = await open({
      address: "/operator/organizations?license=expired&search=north&ordering=-created_at&page=1",
    });
    await expect.element(screen.getByRole("row", { name: /Northwind/ })).toBeVisible();
    const { query } = service.to("GET", /organizations$/)[0] ?? {};
    expect([query?.get("license"), query?.get("search"), query?.get("ordering")]).toEqual([
      "expired",
      "north",
      "-created_at",
    ]);
  });
});

describe("an organization", () => {
  it("is shown with its license, limits and people", async () => {
    const { screen } = await open({ people: [aPerson(), aPerson({ first_name: "Kim", is_enabled: false })] });
    await expect.element(screen.getByRole("heading", { name: "Northwind Mobile" })).toBeVisible();
    const facts = screen.getByRole("region", { name: "License and limits" }).element().textContent;
    expect(facts).toContain("Devices at once3 of 10");
    expect(facts).toContain("12, managers: 2");
    expect(facts).toContain("Recipes1,000");
    expect(facts).toContain("ZoneEurope");
    await expect.element(screen.getByRole("row", { name: /Robin Reed.*Active, second factor.*Never/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /Kim Reed.*Denied/ })).toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it("ends on a day in UTC, wherever it is read", async () => {
    const license = {
      type: "fixed",
      is_active: true,
      is_unpaid: false,
      expires_at: "2027-03-31T00:00:00.000Z",
    } as const;
    const { screen } = await open({ organization: anOperatedOrganization({ license }) });
    await expect.element(screen.getByText("2027-03-31 UTC")).toBeVisible();
  });

  it("has no devices that start while its plan is not paid, whatever its license says", async () => {
    const license = { type: "metered", is_active: true, is_unpaid: true, expires_at: null } as const;
    const { screen } = await open({ organization: anOperatedOrganization({ license }) });
    await expect.element(screen.getByText("Yes, once its invoices are paid")).toBeVisible();
    await expect.element(screen.getByText("Not active")).toBeVisible();
  });

  it("fits a phone, with a long name", async () => {
    await page.viewport(390, 844);
    const { screen } = await open({ organization: anOperatedOrganization({ name: "N".repeat(250) }) });
    await expect.element(screen.getByText("12, managers: 2")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });

  it("may not be there, which is said", async () => {
    const { screen } = await open({
      answers: { "GET /v1/operator/organizations/:uuid": refuse("ORGANIZATION_NOT_FOUND") },
    });
    await expect.element(screen.getByText("The organization did not load.")).toBeVisible();
  });

  it("is changed: what changes is shown, and only that is sent, with the reason", async () => {
    const { screen, service } = await open();
    await screen.getByRole("button", { name: "Change" }).click();
    const dialog = screen.getByRole("dialog", { name: "Change Northwind Mobile" });
    await expect.element(dialog.getByText("Nothing is changed yet.")).toBeVisible();
    await dialog.getByLabelText("Devices at once").fill("50");
    await dialog.getByLabelText("Ends").fill("2027-03-31");
    const changes = dialog.getByRole("status", { name: "This changes" });
    await expect.element(changes.getByText("Devices at once: 10 → 50")).toBeVisible();
    await expect.element(changes.getByText("Ends: Never → 2027-03-31")).toBeVisible();
    await dialog.getByLabelText("Reason").fill("a larger plan");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText("3 of 50")).toBeVisible();
    expect(service.to("PUT", /organizations/)[0]?.body).toEqual({
      reason: "a larger plan",
      license: { expires_at: "2027-03-31T00:00:00.000Z" },
      limits: { devices: 50 },
    });
  });

  it("is not changed without a reason, by nothing, or by what is no number", async () => {
    const { screen, service } = await open();
    await screen.getByRole("button", { name: "Change" }).click();
    const dialog = screen.getByRole("dialog");
    const submit = dialog.getByRole("button", { name: "Change license and limits" });
    await dialog.getByLabelText("Reason").fill("because");
    await submit.click();
    await expect.element(dialog.getByText("Change something first.")).toBeVisible();
    for (const wrong of ["", "-1", "1.5", "100001", "many"]) {
      await dialog.getByLabelText("Devices at once").fill(wrong);
      await submit.click();
      await expect.element(dialog.getByText("Enter a number from 0 to 100000.")).toBeVisible();
    }
    await dialog.getByLabelText("Devices at once").fill("50");
    await dialog.getByLabelText("Reason").fill(" ");
    await submit.click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    expect(service.to("PUT", /organizations/)).toEqual([]);
  });

  it("lets devices start although its last plan was not paid", async () => {
    const license = { type: "pending", is_active: true, is_unpaid: true, expires_at: null } as const;
    const { screen, service } = await open({ organization: anOperatedOrganization({ license }) });
    await screen.getByRole("button", { name: "Change" }).click();
    const dialog = screen.getByRole("dialog");
    await dialog.getByLabelText("Devices may start although its last plan was not paid").click();
    await dialog.getByLabelText("Reason").fill("written off");
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() =>
      expect(service.to("PUT", /organizations/)[0]?.body).toEqual({
        reason: "written off",
        license: { is_unpaid: false },
      }),
    );
  });

  it.each([
    ["PLAN_RENEWS", "Its plan is paid in advance and renews. Cancel the plan first, on the page Billing."],
    ["PLAN_SUSPENDED", "Its plan goes on once its invoices are paid. Mark them as paid first, on the page Billing."],
  ] as const)("says what has to be done before: %s", async (code, says) => {
    const { screen } = await open({ answers: { "PUT /v1/operator/organizations/:uuid": refuse(code) } });
    await screen.getByRole("button", { name: "Change" }).click();
    const dialog = screen.getByRole("dialog");
    await dialog.getByLabelText("Ends").fill("2027-03-31");
    await dialog.getByLabelText("Reason").fill("because");
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByText(says)).toBeVisible();
  });

  it("keeps what was typed when it is refused", async () => {
    const { screen } = await open({
      answers: { "PUT /v1/operator/organizations/:uuid": refuse("INTERNAL_ERROR") },
    });
    await screen.getByRole("button", { name: "Change" }).click();
    const dialog = screen.getByRole("dialog");
    await dialog.getByLabelText("Devices at once").fill("50");
    await dialog.getByLabelText("Reason").fill("because");
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByText("Nothing was changed. Try again.")).toBeVisible();
    await expect.element(dialog.getByLabelText("Devices at once")).toHaveValue("50");
  });
});

describe("a person", () => {
  it("is denied access with a reason", async () => {
    const person = aPerson();
    const { screen, service } = await open({ people: [person] });
    await screen.getByRole("button", { name: "Deny Robin Reed access" }).click();
    const dialog = screen.getByRole("dialog", { name: "Deny Robin Reed access?" });
    await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await dialog.getByRole("button", { name: "Deny access" }).click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    expect(service.to("PUT", /people/)).toEqual([]);
    await dialog.getByLabelText("Reason").fill("left");
    await dialog.getByRole("button", { name: "Deny access" }).click();
    await expect.element(screen.getByText("Robin Reed is denied access")).toBeVisible();
    expect(service.to("PUT", /people/)[0]).toMatchObject({
      path: `/v1/operator/people/${person.uuid}/status`,
      body: { reason: "left", is_enabled: false },
    });
    await vi.waitFor(() => expect(service.to("GET", /people/).length).toBe(2));
  });

  it("loses the second factor only with the operator's password", async () => {
    const { screen, service } = await open();
    await screen.getByRole("button", { name: "Remove the second factor of Robin Reed" }).click();
    const dialog = screen.getByRole("dialog", { name: "Remove the second factor of Robin Reed?" });
    await dialog.getByLabelText("Reason").fill("lost the phone");
    await dialog.getByRole("button", { name: "Remove second factor" }).click();
    expect(service.to("DELETE", /people/)).toEqual([]);
    await dialog.getByLabelText("Your password").fill("correct horse 1");
    await dialog.getByRole("button", { name: "Remove second factor" }).click();
    await expect.element(screen.getByText("Robin Reed has no second factor any more")).toBeVisible();
    expect(service.to("DELETE", /people/)[0]?.body).toEqual({ reason: "lost the phone", password: "correct horse 1" });
  });

  it("is let in again, and without a second factor there is none to remove", async () => {
    const { screen } = await open({ people: [aPerson({ is_enabled: false, has_second_factor: false })] });
    await expect.element(screen.getByRole("button", { name: "Let Robin Reed in" })).toBeVisible();
    expect(screen.getByRole("button", { name: /second factor/ }).elements()).toEqual([]);
  });
});
