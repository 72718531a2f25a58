import { describe, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { analyticsConsent } from "../../shared/consent.ts";
import { someSettings } from "../../testing/factories.ts";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import LegalTermsPage from "./LegalTermsPage.tsx";
import PrivacyPage from "./PrivacyPage.tsx";

const operator = {
  name: "Fern & Glass SAS",
  address: "3 rue des Serres, Lyon",
  contact: "data@fern.test",
  court: "the courts of Lyon, France",
};

async function open(page: React.ReactNode, settings = someSettings({ operator })) {
  fakeService({ "GET /v1/settings": () => settings });
  return render(<InTestApp>{page}</InTestApp>);
}
const headings = () => Array.from(document.querySelectorAll("section h2"), (heading) => heading.textContent);
const section = (id: string) => document.querySelector(`section[aria-labelledby="${id}"]`)?.textContent ?? "";

describe("the terms", () => {
  it.each([
    ["licences", ["Enterprise", "Business", "Indie", "Personal use"]],
    ["trial", ["Business use", "free trial of 14 days"]],
    ["data", ["18 months", "one month of notice", "profile section"]],
    ["ownership", ["remains yours"]],
    ["price", ["prices"]],
    ["payment", ["due 30 days after", "10 percentage points above the French legal interest rate", "40 euros"]],
    ["withdrawal", ["European Union", "Personal use", "within 14 days"]],
    ["term", ["annual licence renews for one more year", "60 days before its end"]],
    ["liability", ["fees that you paid in the 12 months before"]],
    ["confidentiality", ["by 5 years"]],
    ["termination", ["within 30 days of a written notice"]],
    ["requests", ["data@fern.test", "within 30 days"]],
    ["governing-law", ["law of the country", "the courts of Lyon, France"]],
    ["parties", ["Fern & Glass SAS, 3 rue des Serres, Lyon"]],
  ])("say under %s: %j", async (id, texts) => {
    await open(<LegalTermsPage />);
    await expect.poll(() => section("parties")).toContain("Fern & Glass");
    for (const text of texts) expect(section(id)).toContain(text);
  });

  it("tell their date and version, and have a section for each thing that is agreed", async () => {
    const shown = await open(<LegalTermsPage />);
    await expect.element(shown.getByText("Last updated May 20, 2024")).toBeVisible();
    expect(document.querySelector("header")?.textContent).toContain("Version 2024-05-20");
    const wanted = "Ownership,Price,Payment,Withdrawal,Liability,Confidentiality,Termination".split(",");
    expect(headings()).toEqual(expect.arrayContaining([...wanted, "Governing law and courts"]));
  });

  it("have contents that lead to every section, and each heading has an address", async () => {
    const shown = await open(<LegalTermsPage />);
    const link = shown.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Liability" });
    await expect.element(link).toHaveAttribute("href", "#liability");
    const mark = shown.getByRole("link", { name: "Link to “Liability”" });
    await expect.element(mark).toHaveAttribute("href", "#liability");
    const targets = Array.from(document.querySelectorAll("nav a"), (each) => each.getAttribute("href")?.slice(1));
    expect(targets.map((id) => document.getElementById(id ?? "")?.tagName)).toEqual(headings().map(() => "H2"));
  });

  it("leave nothing blank where the operator has set nothing", async () => {
    await open(<LegalTermsPage />, someSettings());
    await expect.poll(() => section("requests")).toContain("whoever gave you access to this installation");
    expect(document.body.textContent).not.toMatch(/\{\{|undefined|null/);
  });
});

describe("the privacy notice", () => {
  it("is where visitors give consent and take it back, if there are statistics", async () => {
    const analytics = { collector: "https://count.fern.test/in", staff_domain: null };
    analyticsConsent.write(true);
    const shown = await open(<PrivacyPage />, someSettings({ analytics }));
    const counted = shown.getByRole("switch", { name: "Usage statistics" });
    await expect.element(counted).toBeChecked();
    await counted.click();
    await expect.element(counted).not.toBeChecked();
    expect(analyticsConsent.read()).toBe(false);
  });

  it("asks for no consent where there are no statistics", async () => {
    const shown = await open(<PrivacyPage />);
    await expect.poll(() => section("rights")).toContain("write to data@fern.test");
    expect(shown.getByRole("switch").elements()).toEqual([]);
  });

  it("lists three kinds of data, the purposes, consent, processors, both providers, and whom to ask", async () => {
    await open(<PrivacyPage />);
    await expect.poll(() => section("rights")).toContain("write to data@fern.test");
    expect(document.querySelectorAll("section[aria-labelledby=data] li")).toHaveLength(3);
    expect(headings()).toEqual(expect.arrayContaining(["Purposes", "Consent", "Third-party processors"]));
    expect(section("providers")).toMatch(/Google.*GitHub/);
    expect(section("rights")).toContain("within 30 days");
    expect(section("retention")).toContain("delete your account yourself in the profile section");
  });
});
