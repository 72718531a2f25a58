import { expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { useLocation } from "react-router";
import { session } from "../../session/client.ts";
import { MeContext } from "../../session/user.ts";
import { aUser, manager } from "../../testing/factories.ts";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import SignedInAlready from "./SignedInAlready.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
const Where = () => <h1>{useLocation().pathname}</h1>;

async function open() {
  session.open({ token, user: aUser() });
  const service = fakeService({ "POST /v1/users/signout": () => new Response(null, { status: 204 }) });
  const onClose = vi.fn();
  const shown = await render(
    <InTestApp address="/launchpad">
      <MeContext.Provider value={manager}>
        <Where />
        <SignedInAlready address="/join/i1" onClose={onClose} />
      </MeContext.Provider>
    </InTestApp>,
  );
  return { shown, service, onClose, dialog: shown.getByRole("dialog", { name: "You are signed in already" }) };
}

it("signs out and opens the invitation, if one says so", async () => {
  const { shown, service, onClose, dialog } = await open();
  await expect.element(dialog.getByText(/^You opened an invitation as manager@demo\.test\./)).toBeVisible();
  await dialog.getByRole("button", { name: "Sign out and open it" }).click();
  await expect.element(shown.getByText("/join/i1")).toBeInTheDocument();
  expect([session.current, service.calls.length, onClose.mock.calls.length]).toEqual([undefined, 1, 1]);
});

it("leaves one signed in otherwise", async () => {
  const { service, onClose, dialog } = await open();
  await dialog.getByRole("button", { name: "Stay signed in" }).click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect([session.current?.token, service.calls]).toEqual([token, []]);
  session.close();
});
