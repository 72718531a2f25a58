import { limits } from "@terrarium/contract";
import { render } from "vitest-browser-react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Snacks } from "../../components/Snacks.tsx";
import { session } from "../../session/client.ts";
import { aUser } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { SupportDialog } from "./SupportDialog.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
afterEach(() => session.close());

async function open(address = "/signin", answer: () => unknown = () => new Response(null, { status: 204 })) {
  const service = fakeService({ "POST /v1/support": answer });
  const onClose = vi.fn();
  const shown = await render(
    <InTestApp address={address}>
      <SupportDialog onClose={onClose} />
      <Snacks />
    </InTestApp>,
  );
  const dialog = shown.getByRole("dialog", { name: "Write to support" });
  return { shown, service, onClose, dialog, send: () => dialog.getByRole("button", { name: "Send message" }).click() };
}

describe("a message to support", () => {
  it("is sent with where the reply goes and the page it is about", async () => {
    const { shown, service, onClose, dialog, send } = await open();
    await expect.element(dialog.getByLabelText("Your email")).toHaveFocus();
    await dialog.getByLabelText("Your email").fill(" zoe@fern.test ");
    await dialog.getByLabelText("Message").fill("It is slow.");
    await send();
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
    expect(service.to("POST", /support/)[0]?.body).toEqual({
      email: "zoe@fern.test",
      message: "It is slow.",
      topic: "support",
      page: "/signin",
    });
    await expect.element(shown.getByText("Message sent. The reply comes by email.")).toBeVisible();
  });

  it("starts with one's own address, and keeps keys in the page's address to itself", async () => {
    session.open({ token, user: aUser() });
    const { service, dialog, send } = await open("/password-reset/new/s3cretK3y_0");
    await expect.element(dialog.getByLabelText("Your email")).toHaveValue("manager@demo.test");
    await dialog.getByLabelText("Message").fill("It is slow.");
    await send();
    await expect
      .poll(() => service.to("POST", /support/)[0]?.body)
      .toEqual({
        email: "manager@demo.test",
        message: "It is slow.",
        topic: "support",
      });
  });

  it("is not sent without words or with a wrong address", async () => {
    const { service, dialog, send } = await open();
    await send();
    await expect.element(dialog.getByLabelText("Your email")).toHaveAccessibleDescription("Required");
    await dialog.getByLabelText("Your email").fill("zoe@");
    await expect.element(dialog.getByText("Use a valid email address")).toBeVisible();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    await dialog.getByLabelText("Message").fill("x".repeat(limits.supportMessageLength + 1));
    await expect.element(dialog.getByText("Use up to 5000 characters")).toBeVisible();
    expect(service.calls).toEqual([]);
  });

  it("stays when the service refuses it, and says why", async () => {
    const { onClose, dialog, send } = await open("/signin", refuse("TOO_MANY_REQUESTS"));
    await dialog.getByLabelText("Your email").fill("zoe@fern.test");
    await dialog.getByLabelText("Message").fill("It is slow.");
    await send();
    await expect
      .element(dialog.getByRole("alert"))
      .toHaveTextContent("You have sent many messages. Wait a while, then try again.");
    await expect.element(dialog.getByLabelText("Message")).toHaveValue("It is slow.");
    expect(onClose).not.toHaveBeenCalled();
  });
});
