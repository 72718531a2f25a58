import type { PlanRequest } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import RequestsPage from "./RequestsPage.tsx";

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await page.viewport(1440, 900);
});

const aRequest = (fields: Partial<PlanRequest> = {}): PlanRequest => ({
  uuid: anId(),
  kind: "enterprise",
  state: "REQUESTED",
  organization: { uuid: anId(), name: "Northwind Mobile" },
  asked_by: "mara@northwind.example",
  form: { use_cases: "Tests\nof our app", company_name: "Northwind AB", additional_info: "" },
  requested_at: "2026-03-05T14:00:00.000Z",
  decided_at: null,
  reason: "",
  ...fields,
});

async function open(
  requests: PlanRequest[],
  answers: Parameters<typeof fakeService>[0] = {},
  address = "/operator/requests",
) {
  const service = fakeService({
    "GET /v1/operator/plan-requests": () => aPage(requests),
    "POST /v1/operator/plan-requests/:uuid/decision": () => requests[0],
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <RequestsPage />
      <Snacks />
    </InTestApp>,
  );
  return { screen, service, dialog: screen.getByRole("dialog") };
}

describe("the requests", () => {
  it("are shown with what was asked, and are those that the address asks for", async () => {
    const { screen, service } = await open([aRequest()], {}, "/operator/requests?state=REQUESTED&kind=enterprise");
    const row = screen.getByRole("row", {
      name: /Northwind Mobile.*Enterprise trial.*mara@northwind\.example.*To decide/,
    });
    await expect.element(row).toBeVisible();
    const { query } = service.to("GET", /plan-requests/)[0] ?? {};
    expect([query?.get("state"), query?.get("kind")]).toEqual(["REQUESTED", "enterprise"]);
    expect(nameless()).toEqual([]);
  });

  it.each([
    [
      "Approve",
      "approve",
      /10 devices at once and 1,000 free minutes for 14 days/,
      "Approved the request of Northwind Mobile",
    ],
    ["Reject", "reject", /read it in a mail/, "Rejected the request of Northwind Mobile"],
  ])("are read, and decided with a reason: %s", async (act, decision, help, says) => {
    const { screen, service, dialog } = await open([aRequest()]);
    await screen.getByRole("button", { name: "Read the request of Northwind Mobile" }).click();
    await expect.element(dialog.getByText("Northwind AB")).toBeVisible();
    await dialog.getByRole("button", { name: act }).click();
    await expect.element(dialog.getByText(help)).toBeVisible();
    await dialog.getByRole("button", { name: act }).click();
    await expect.element(dialog.getByText("Required", { exact: true })).toBeVisible();
    expect(service.to("POST", /decision/)).toEqual([]);
    await dialog.getByLabelText("Reason").fill(" a good fit ");
    await dialog.getByRole("button", { name: act }).click();
    await expect.element(screen.getByText(says)).toBeVisible();
    expect(service.to("POST", /decision/).map(({ body }) => body)).toEqual([{ decision, reason: "a good fit" }]);
  });

  it("that are decided can only be read", async () => {
    const { screen, dialog } = await open([aRequest({ state: "REJECTED", reason: "no such company" })]);
    await screen.getByRole("button", { name: "Read the request of Northwind Mobile" }).click();
    await expect.element(dialog.getByText("no such company")).toBeVisible();
    expect(dialog.element().textContent).toMatch(/no such company.*CompanyNorthwind AB.*UseTests\nof our app/);
    expect(dialog.getByRole("button", { name: /Approve|Reject/ }).elements()).toEqual([]);
  });

  it("that somebody else has decided say so", async () => {
    const { screen, dialog } = await open([aRequest()], {
      "POST /v1/operator/plan-requests/:uuid/decision": refuse("PLAN_REQUEST_DECIDED"),
    });
    await screen.getByRole("button", { name: "Read the request of Northwind Mobile" }).click();
    await dialog.getByRole("button", { name: "Approve" }).click();
    await dialog.getByLabelText("Reason").fill("a good fit");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await expect.element(dialog.getByText("Somebody else has decided this already.")).toBeVisible();
  });
});
