import type { Group, Organization, Provisioning, SignInRules } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { queryClient } from "../../session/client.ts";
import { MeContext } from "../../session/user.ts";
import { anId, anOrganization, manager, someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import SettingsPage from "./SettingsPage.tsx";

const open_rules: SignInRules = { allowed_sign_ins: null, session_hours: 720, allowed_origins: [], own_provider: null };

const someProvisioning: Provisioning = {
  base_url: "https://devices.example/cloud/scim/v2",
  own_provider: "moss.example",
  tokens: [],
  claim: null,
  groups: [],
};
const aProvisioningToken = (prefix: string, last_access: string | null = null) => ({
  uuid: anId(),
  prefix,
  created_at: "2026-03-02T09:00:00.000Z",
  last_access,
});

const groupIds: Record<string, string> = { QA: anId(), Lab: anId(), Bench: anId() };
const aGroup = (name: string, fields: Partial<Group> = {}): Group => ({
  uuid: groupIds[name] ?? anId(),
  name,
  description: "",
  parent_uuid: null,
  is_default: false,
  quotas: { group_allocation: null },
  running_instances: 0,
  user_count: 0,
  users: [],
  subgroups: [],
  ...fields,
});

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  queryClient.clear();
  await page.viewport(1440, 900);
});

/** The page, with an organization that keeps what it is sent. */
async function open({
  organization = anOrganization(),
  rules = open_rules,
  provisioning = someProvisioning,
  client,
  ...answers
}: {
  organization?: Organization;
  rules?: SignInRules;
  provisioning?: Provisioning;
  client?: typeof queryClient;
} & Record<string, unknown> = {}) {
  const now = { organization, rules, provisioning };
  const service = fakeService({
    "GET /v1/settings": () =>
      someSettings({
        passkeys_at: "https://devices.example",
        sso_providers: [{ name: "google", label: "Google", is_stand_in: false }],
      }),
    "GET /v1/users/:uuid/identities": () => ({ identities: [], has_password: true }),
    "GET /v1/organizations/:uuid": () => now.organization,
    "GET /v1/organizations/:uuid/sign-in-rules": () => now.rules,
    "GET /v1/organizations/:uuid/provisioning": () => now.provisioning,
    "POST /v1/organizations/:uuid/provisioning/tokens": () => {
      const token = aProvisioningToken("tp_new1");
      now.provisioning = { ...now.provisioning, tokens: [token, ...now.provisioning.tokens] };
      return { ...token, token: `tp_new1${"s".repeat(39)}` };
    },
    "DELETE /v1/organizations/:uuid/provisioning/tokens/:uuid": ({ path }) => {
      const tokens = now.provisioning.tokens.filter(({ uuid }) => !path.endsWith(uuid));
      now.provisioning = { ...now.provisioning, tokens };
      return null;
    },
    "PUT /v1/organizations/:uuid/provisioning/claim": ({ body }) =>
      (now.provisioning = { ...now.provisioning, ...(body as object) }),
    "GET /v1/groups": () => [aGroup("QA"), aGroup("Lab", { subgroups: [aGroup("Bench")] })],
    "PUT /v1/organizations/:uuid": ({ body }) => {
      const { license, preferences, ...fields } = body as Partial<Organization>;
      const { instances, ...rest } = now.organization.license;
      return (now.organization = {
        ...now.organization,
        ...fields,
        preferences: {
          ...now.organization.preferences,
          ...preferences,
          timeouts: { ...now.organization.preferences.timeouts, ...preferences?.timeouts },
        },
        license: { ...rest, instances: { ...instances, ...license?.instances } },
      });
    },
    "PUT /v1/organizations/:uuid/second-factor": () => now.organization,
    "PUT /v1/organizations/:uuid/sign-in-rules": ({ body }) => (now.rules = { ...now.rules, ...(body as object) }),
    ...(answers as Parameters<typeof fakeService>[0]),
  });
  const screen = await render(
    <InTestApp address="/administration/settings" {...(client && { client })}>
      <MeContext.Provider value={manager}>
        <SettingsPage />
        <Snacks />
      </MeContext.Provider>
    </InTestApp>,
  );
  const region = (name: string) => screen.getByRole("region", { name });
  await expect.element(region("Data center")).toBeVisible();
  return {
    screen,
    service,
    region,
    save: (name: string) => region(name).getByRole("button", { name: "Save" }).click(),
    choose: async (name: string, choice: string) => {
      await screen.getByRole("combobox", { name }).click();
      await screen.getByRole("option", { name: choice, exact: true }).click();
    },
    choices: async (name: string) => {
      await screen.getByRole("combobox", { name }).click();
      const names = screen
        .getByRole("option")
        .elements()
        .map(({ textContent }) => textContent);
      await userEvent.keyboard("{Escape}");
      return names;
    },
    /** Types the password where it is asked for. */
    prove: async (password = "correct horse 1") => {
      await screen.getByLabelText("Your password").fill(password);
      await screen.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    },
    sent: (path = /organizations\/[^/]+$/) => service.to("PUT", path).map(({ body }) => body),
  };
}

const options = ["1 minute", "15 minutes", "30 minutes", "1 hour", "2 hours", "6 hours", "12 hours", "24 hours"];
const rulesPath = /sign-in-rules$/;

describe("the settings of an organization", () => {
  it("offer the zones and timeouts that there are, and waiting for room; each section saves its own", async () => {
    const { choices, choose, save, sent, screen } = await open();
    expect(await choices("Data center zone")).toEqual(["Europe", "North America", "Southeast Asia"]);
    expect(await choices("Stop when unused for")).toEqual(["Never", ...options]);
    expect(await choices("Stop after running for")).toEqual(["Never", ...options]);
    await choose("Data center zone", "Southeast Asia");
    await choose("Stop after running for", "2 hours");
    await save("Data center");
    await expect.element(screen.getByText("Devices that start from now on run there.")).toBeVisible();
    await save("Timeouts");
    await expect.element(screen.getByText("Devices that start from now on have these timeouts.")).toBeVisible();
    await screen.getByRole("checkbox", { name: "Starts wait in line" }).click();
    await save("When there is no room");
    await expect.element(screen.getByText("Starts wait when there is no room.")).toBeVisible();
    expect(sent()).toEqual([
      { license: { instances: { zone: "southeast asia" } } },
      { preferences: { timeouts: { inactivity: 30, global: 120, api: 1440 } } },
      { preferences: { queue: true } },
    ]);
  });

  it("keep what was chosen when the service refuses, and say why there", async () => {
    const { choose, save, region, screen } = await open({
      "PUT /v1/organizations/:uuid": refuse("ZONE_NOT_AVAILABLE"),
    });
    await choose("Data center zone", "North America");
    await save("Data center");
    await expect.element(region("Data center").getByText(/No device can run in this zone/)).toBeVisible();
    await expect.element(screen.getByRole("combobox", { name: "Data center zone" })).toHaveTextContent("North America");
  });

  it("show a dedicated zone, which nobody chooses", async () => {
    const organization = anOrganization();
    organization.license.instances.zone_type = "dedicated";
    const { region, screen } = await open({ organization });
    await expect.element(region("Data center").getByText("Europe, dedicated to your organization")).toBeVisible();
    expect(screen.getByRole("combobox", { name: "Data center zone" }).elements()).toEqual([]);
    expect(region("Data center").getByRole("button").elements()).toEqual([]);
  });

  it("take a new name, and refuse an empty one", async () => {
    const { screen, save, sent } = await open();
    const name = screen.getByLabelText("Name", { exact: true });
    await name.fill(" ");
    await save("Organization");
    await expect.element(screen.getByText("Required")).toBeVisible();
    await name.fill("Moss");
    await save("Organization");
    await expect.element(screen.getByText("The name was saved.")).toBeVisible();
    expect(sent()).toEqual([{ name: "Moss" }]);
  });

  it("have one button that stands out: that of the section in which something has changed, until it is saved", async () => {
    // The page's own cache, which takes over what was saved.
    const { screen, region, choose, save, sent } = await open({ client: queryClient });
    const filled = () =>
      screen
        .getByRole("button", { name: "Save" })
        .elements()
        .filter((button) => button.className.includes("contained"))
        .map((button) => button.closest("section")?.getAttribute("aria-labelledby"));
    const button = (name: string) => region(name).getByRole("button", { name: "Save" });
    await expect.element(button("Other pages that sign in")).toBeVisible();
    expect(filled()).toEqual([]);
    await expect.element(button("Timeouts")).toHaveAttribute("aria-disabled", "true");
    (button("Timeouts").element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText("Nothing has changed in this section.")).toBeInTheDocument();
    expect(sent()).toEqual([]);
    await choose("Data center zone", "North America");
    expect(filled()).toHaveLength(1);
    await expect.element(button("Data center")).not.toHaveAttribute("aria-disabled");
    await choose("Data center zone", "Europe");
    expect(filled()).toEqual([]);
    await choose("Data center zone", "North America");
    await save("Data center");
    await expect.element(screen.getByText("Devices that start from now on run there.")).toBeVisible();
    await expect.poll(filled).toEqual([]);
    await expect.element(button("Data center")).toHaveFocus();
  });
});

describe("the rules for signing in", () => {
  it("change with a password, which may be wrong at first", async () => {
    const { screen, choose, save, prove, sent } = await open({
      "PUT /v1/organizations/:uuid/sign-in-rules": ({ body }: { body: { password: string } }) =>
        body.password === "correct horse 1" ? { ...open_rules, session_hours: 8 } : refuse("WRONG_PASSWORD")(),
    });
    await choose("Members sign in again after", "8 hours");
    await save("Length of sessions");
    await expect.element(screen.getByText(/Sessions that began more than 8 hours ago end now/)).toBeVisible();
    await prove("wrong");
    await expect.element(screen.getByText("This is not your password.")).toBeVisible();
    await prove();
    await expect.element(screen.getByText("Members sign in by the new rule.")).toBeVisible();
    expect(sent(rulesPath).at(-1)).toEqual({ password: "correct horse 1", session_hours: 8 });
  });

  it("allow some of the ways that there are here, and at least one", async () => {
    const { screen, save, prove, sent, region } = await open({
      "PUT /v1/organizations/:uuid/sign-in-rules": refuse("SIGN_IN_NEEDED"),
    });
    const ways = region("Ways to sign in");
    await ways.getByRole("button", { name: "Only with" }).click();
    const boxes = ways.getByRole("checkbox");
    await expect.poll(() => boxes.elements().length).toBe(3);
    await ways.getByLabelText("Email and password").click();
    await ways.getByLabelText("Google").click();
    await ways.getByLabelText("Passkey").click();
    await expect.element(ways.getByText("Choose at least one")).toBeVisible();
    // Nor by the Enter key in one of them.
    await userEvent.keyboard("{Enter}");
    await save("Ways to sign in");
    expect(screen.getByRole("dialog").elements()).toEqual([]);
    await ways.getByLabelText("Google").click();
    await save("Ways to sign in");
    await expect.element(screen.getByText(/members sign in with: Google\./)).toBeVisible();
    await prove();
    await expect.element(screen.getByText(/You could not sign in yourself in any of these ways/)).toBeVisible();
    expect(sent(rulesPath)).toEqual([{ password: "correct horse 1", allowed_sign_ins: ["google"] }]);
  });

  it("require a second factor, of the manager first", async () => {
    const { region, save, prove, sent, screen } = await open({
      "PUT /v1/organizations/:uuid/second-factor": refuse("SECOND_FACTOR_MISSING"),
    });
    await region("Second factor").getByRole("checkbox").click();
    await save("Second factor");
    await prove();
    await expect.element(screen.getByText(/Set up a second factor for yourself first/)).toBeVisible();
    expect(sent(/second-factor$/)).toEqual([{ password: "correct horse 1", is_required: true }]);
  });

  it("name other pages, one on each line, as browsers write them", async () => {
    const { save, prove, sent, region } = await open();
    const field = region("Other pages that sign in").getByLabelText(/Addresses, one on each line/);
    await field.fill("http://portal.example.com");
    await save("Other pages that sign in");
    await expect.element(region("Other pages that sign in").getByText(/Use https:\/\/ and a host name/)).toBeVisible();
    await field.fill("https://Portal.example.com/\nhttps://team.example.com:8443");
    await save("Other pages that sign in");
    await prove();
    await expect.poll(() => sent(rulesPath).length).toBe(1);
    expect(sent(rulesPath)).toEqual([
      {
        password: "correct horse 1",
        allowed_origins: ["https://portal.example.com", "https://team.example.com:8443"],
      },
    ]);
  });
});

describe("provisioning", () => {
  it("shows a new token once, after a proof, and then what it is known by", async () => {
    const { screen, region, service } = await open();
    const section = region("Provisioning");
    await expect.element(section.getByLabelText("Base address")).toHaveValue(someProvisioning.base_url);
    await expect.element(section.getByText(/addresses at moss\.example/)).toBeVisible();
    await expect.element(section.getByText("Your directory has no token yet.")).toBeVisible();
    await section.getByRole("button", { name: "Create token" }).click();
    await screen.getByLabelText("Your password").fill("correct horse 1");
    await screen.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    const dialog = screen.getByRole("dialog", { name: "Copy the token now" });
    await expect.element(dialog.getByLabelText("Provisioning token")).toHaveValue(`tp_new1${"s".repeat(39)}`);
    expect(service.to("POST", /tokens$/).map(({ body }) => body)).toEqual([{ password: "correct horse 1" }]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect.element(section.getByText("tp_new1…", { exact: true })).toBeVisible();
    await expect.element(section.getByText(/Last used: Never/)).toBeVisible();
  });

  it("offers no third token, and revokes one that is confirmed", async () => {
    const tokens = [aProvisioningToken("tp_aaaa", "2026-03-03T09:00:00.000Z"), aProvisioningToken("tp_bbbb")];
    const { screen, region, service } = await open({ provisioning: { ...someProvisioning, tokens } });
    const section = region("Provisioning");
    await expect.element(section.getByText(/Revoke one first/)).toBeVisible();
    expect(section.getByRole("button", { name: "Create token" }).elements()).toEqual([]);
    await section.getByRole("button", { name: "Revoke tp_aaaa…" }).click();
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await screen.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
    await expect.element(section.getByRole("button", { name: "Create token" })).toBeVisible();
    expect(service.to("DELETE", /tokens/).map(({ path }) => path)).toEqual([
      expect.stringContaining(tokens[0]?.uuid ?? "none"),
    ]);
  });

  it("tells what is not possible without a provider, and has no groups from sign-in then", async () => {
    const { region } = await open({ provisioning: { ...someProvisioning, own_provider: null } });
    await expect.element(region("Provisioning").getByText(/nobody can be created/)).toBeVisible();
    expect(region("Groups from sign-in").elements()).toEqual([]);
  });

  it("maps values of a claim to groups", async () => {
    const { screen, region, save, sent } = await open();
    const section = region("Groups from sign-in");
    await section.getByLabelText(/Claim/).fill("groups");
    const add = section.getByRole("button", { name: "Add a value" });
    await add.click();
    await save("Groups from sign-in");
    await expect.poll(() => section.getByText("Required").elements().length).toBe(2);
    await section.getByLabelText("Value", { exact: true }).fill(" lab ");
    await section.getByRole("combobox", { name: "Group" }).fill("Ben");
    await screen.getByRole("option", { name: /Bench.*Lab/ }).click();
    await add.click();
    await section.getByLabelText("Value", { exact: true }).nth(1).fill("lab");
    await save("Groups from sign-in");
    await expect.element(section.getByText("Listed before")).toBeVisible();
    await section.getByRole("button", { name: "Remove value 2" }).click();
    await save("Groups from sign-in");
    await expect.element(screen.getByText("People join these groups when they sign in.")).toBeVisible();
    expect(sent(/claim$/)).toEqual([{ claim: "groups", groups: [{ value: "lab", group_uuid: groupIds["Bench"] }] }]);
  });
});

it("says what did not load, shows the rest, and tries again", async () => {
  let isDown = true;
  const { screen } = await open({
    "GET /v1/organizations/:uuid/sign-in-rules": () => (isDown ? refuse("INTERNAL_ERROR")() : open_rules),
  });
  await expect.element(screen.getByText("Fail to fetch the settings.")).toBeVisible();
  isDown = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByRole("region", { name: "Length of sessions" })).toBeVisible();
});

it("fits a phone with the longest names, and every control has a name", async () => {
  await page.viewport(390, 844);
  const long = "Wholly-Unreasonable-Name-Without-A-Break-".repeat(6).slice(0, 250);
  const { screen, region } = await open({
    organization: { ...anOrganization(), name: long, company_name: long },
    rules: { ...open_rules, allowed_sign_ins: ["password", "organization"], own_provider: `${"a".repeat(60)}.example` },
    provisioning: {
      ...someProvisioning,
      own_provider: `${"a".repeat(60)}.example`,
      tokens: [aProvisioningToken("tp_aaaa")],
      claim: long,
      groups: [{ value: long, group_uuid: groupIds["QA"] ?? "" }],
    },
  });
  await expect.element(region("Ways to sign in").getByRole("checkbox").first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(nameless(screen.container)).toEqual([]);
});
