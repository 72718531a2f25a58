import { expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { queryClient } from "../../session/client.ts";
import { someSettings } from "../../testing/factories.ts";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import ProviderButtons from "./ProviderButtons.tsx";

it("opens a provider once, and again when the browser's Back restored the page", async () => {
  queryClient.clear();
  const provider = { name: "google", label: "Google", is_stand_in: false };
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ sso_providers: [provider] }),
    // As if the provider's page opened: the address changes, and this page stays.
    "GET /v1/sso/oauth/login-url": () => ({ url: "#provider" }),
  });
  const shown = await render(
    <InTestApp client={queryClient}>
      <ProviderButtons from="/signin" />
    </InTestApp>,
  );
  const asked = () => service.to("GET", /sso/).length;
  const button = shown.getByRole("button", { name: /Google/ });
  await button.click();
  await expect.element(button).toHaveAttribute("aria-disabled", "true");
  await expect.poll(asked).toBe(1);
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await expect.element(button).toHaveAttribute("aria-disabled", "false");
  await button.click();
  await expect.poll(asked).toBe(2);
});
