import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import ActivatePage from "./ActivatePage.tsx";

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await page.viewport(390, 844);
});

const asks = {
  host: "laptop",
  scope: "devices",
  address: "198.51.100.7",
  created_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + 600_000).toISOString(),
};

async function open(answers: Parameters<typeof fakeService>[0] = {}, address = "/activate?code=BCDF-GHJK") {
  const service = fakeService({
    "GET /v1/program-sign-ins": () => asks,
    "POST /v1/program-sign-ins/decision": () => new Response(null, { status: 204 }),
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <ActivatePage />
      <Snacks />
    </InTestApp>,
  );
  return { service, screen, press: (name: string) => screen.getByRole("button", { name }).click() };
}

it.each([
  ["Approve", "approve", "You approved laptop"],
  ["Refuse", "refuse", "You refused laptop"],
])("says who asks, and takes the answer %s", async (button, decision, said) => {
  const { service, screen, press } = await open();
  for (const shown of ["BCDF-GHJK", "198.51.100.7", /^See everything, start, use/])
    await expect.element(screen.getByText(shown)).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
  await press(button);
  await expect.element(screen.getByRole("heading", { name: said })).toBeVisible();
  expect(service.to("POST", /decision/).map(({ body }) => body)).toEqual([{ code: "BCDF-GHJK", decision }]);
});

it("asks for the code where the address has none", async () => {
  const { screen, press } = await open({}, "/activate");
  await screen.getByLabelText("Code").fill(" BCDF-GHJK ");
  await press("Continue");
  await expect.element(screen.getByRole("heading", { name: "Let laptop sign in as you?" })).toBeVisible();
});

it("says that a code does not work, and takes another one", async () => {
  const { screen, press } = await open({
    "GET /v1/program-sign-ins": refuse("PROGRAM_SIGN_IN_EXPIRED"),
  });
  await expect.element(screen.getByText(/older than ten minutes/)).toBeVisible();
  await press("Type another code");
  await expect.element(screen.getByLabelText("Code")).toBeVisible();
});

it("says why it was not approved, and can be tried again", async () => {
  const { screen, press } = await open({
    "POST /v1/program-sign-ins/decision": refuse("TOO_MANY_API_TOKENS"),
  });
  await press("Approve");
  await expect.element(screen.getByText(/You have 25 API tokens/)).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Approve" })).toBeVisible();
});
