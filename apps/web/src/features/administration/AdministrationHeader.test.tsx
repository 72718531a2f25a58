import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { routeRules } from "../../session/routes.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { AdministrationHeader } from "./AdministrationHeader.tsx";
import { sections } from "./sections.ts";

it("leads to every page of the administration, and says which one is open", async () => {
  await page.viewport(390, 844);
  const screen = await render(
    <InTestApp address={`/administration/${sections[0]}?page=2`}>
      <AdministrationHeader />
    </InTestApp>,
  );
  const links = screen.getByRole("navigation", { name: "Administration" }).getByRole("link");
  expect(links.elements()).toHaveLength(sections.length);
  await expect.element(links.first()).toHaveAttribute("aria-current", "page");
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(getComputedStyle(links.first().element()).minWidth).toBe("44px");
});

it("leads to no page that is switched off", async () => {
  onTestFinished(() => void Object.assign(routeRules.groups, { isDisabled: false }));
  Object.assign(routeRules.groups, { isDisabled: true });
  const screen = await render(
    <InTestApp address="/administration/users">
      <AdministrationHeader />
    </InTestApp>,
  );
  const links = screen.getByRole("navigation", { name: "Administration" }).getByRole("link");
  await expect.element(links.first()).toBeVisible();
  expect(links.elements()).toHaveLength(sections.length - 1);
  expect(links.elements().map((link) => link.getAttribute("href"))).not.toContain(routeRules.groups.path);
});
