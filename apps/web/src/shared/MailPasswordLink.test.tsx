import { expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { aPuzzle, someSettings } from "../testing/factories.ts";
import { fakeService } from "../testing/fake-service.ts";
import { InTestApp } from "../testing/InTestApp.tsx";
import { MailPasswordLink } from "./MailPasswordLink.tsx";

it("asks for the mail with the proof that the service wants", async () => {
  const service = fakeService({
    "GET /v1/settings": () => someSettings(),
    "GET /v1/users/puzzle": () => aPuzzle(),
    "POST /v1/users/password/request": () => new Response(null, { status: 204 }),
  });
  const screen = await render(<MailPasswordLink email="mara@northwind.example" />, { wrapper: InTestApp });
  await screen.getByRole("button", { name: "Mail a link to set a password" }).click();
  await expect.element(screen.getByText(/^A link is on its way to mara@northwind.example/)).toBeVisible();
  const [{ turnstileCaptcha_token = "", ...body } = {}] = service
    .to("POST", /request/)
    .map((call) => call.body as Record<string, string>);
  expect(body).toEqual({ email: "mara@northwind.example" });
  expect(JSON.parse(atob(turnstileCaptcha_token))).toMatchObject({ challenge: aPuzzle() });
});
