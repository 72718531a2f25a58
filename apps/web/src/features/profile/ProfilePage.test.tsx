import { beforeEach, describe, expect, it } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { session } from "../../session/client.ts";
import { MeContext, meOf, useSession } from "../../session/user.ts";
import { aUser } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import ProfilePage from "./ProfilePage.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

function Signed() {
  const user = useSession()?.user;
  return user ? (
    <MeContext.Provider value={meOf(user)}>
      <ProfilePage />
    </MeContext.Provider>
  ) : (
    "signed out"
  );
}

async function open(answers: Parameters<typeof fakeService>[0] = {}, address = "/profile", user = aUser()) {
  session.open({ token, user });
  const service = fakeService({
    "PUT /v2/users/:uuid": ({ body }) => ({ ...user, ...(body as object) }),
    "GET /v1/sessions": () => ({ sessions: [] }),
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <Signed />
      <Snacks />
    </InTestApp>,
  );
  return { screen, service };
}

describe("one's details", () => {
  it("show who one is, and keep new names", async () => {
    const { screen, service } = await open();
    await expect.element(screen.getByLabelText("Email")).toHaveValue("manager@demo.test");
    await expect.element(screen.getByLabelText("Email")).toHaveAttribute("readonly");
    await expect.element(screen.getByLabelText("Organization")).toHaveValue("Northwind Mobile");
    await screen.getByLabelText("First name").fill("Maren");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText("Your names were saved.")).toBeVisible();
    expect(service.to("PUT", /users/).map(({ body }) => body)).toEqual([
      { first_name: "Maren", last_name: "Lindqvist" },
    ]);
    expect(session.current?.user.first_name).toBe("Maren");
    expect(nameless()).toEqual([]);
  });

  it.each([
    ["First name", "x".repeat(251), "Use up to 250 characters"],
    ["Last name", "Lind\u202Eqvist", "Use characters that can be seen"],
  ])("refuse a %s that the service would refuse", async (field, typed, sentence) => {
    const { screen, service } = await open();
    await screen.getByLabelText(field).fill(typed);
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText(sentence)).toBeVisible();
    expect(service.to("PUT", /users/)).toEqual([]);
  });

  it("say in place that they were not saved, and keep what was typed", async () => {
    const { screen } = await open({ "PUT /v2/users/:uuid": refuse("INTERNAL_ERROR") });
    await screen.getByLabelText("First name").fill("Maren");
    await userEvent.keyboard("{Enter}");
    await expect
      .element(screen.getByRole("alert"))
      .toHaveTextContent("Your names were not saved. Try again in a moment.");
    await expect.element(screen.getByLabelText("First name")).toHaveValue("Maren");
  });

  it("have no organization for a guest", async () => {
    const { screen } = await open({}, "/profile", aUser({ organization: null, is_organization_manager: false }));
    await expect.element(screen.getByLabelText("Role")).toHaveValue("Guest");
    expect(screen.getByLabelText("Organization").elements()).toEqual([]);
  });
});

it("a link to a section leads to it", async () => {
  const { screen } = await open({}, "/profile#details");
  await expect.element(screen.getByRole("heading", { name: "Your details" })).toHaveFocus();
});
