import type { Group, User } from "@terrarium/contract";
import { createMemoryRouter, ScrollRestoration, useLocation } from "react-router";
import { RouterProvider } from "react-router/dom";
import { page as browserPage } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../../components/snack-queue.ts";
import { Snacks } from "../../../components/Snacks.tsx";
import { MeContext } from "../../../session/user.ts";
import { anId, anOrganization, aUser, manager } from "../../../testing/factories.ts";
import { aPage, type Call, fakeService } from "../../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../../testing/InTestApp.tsx";
import GroupsPage from "../GroupsPage.tsx";

type Fields = Partial<Omit<Group, "subgroups" | "quotas">> & { quota?: number | null };

/** A group with those below it. */
export function aGroup(name: string, { quota = null, ...fields }: Fields = {}, subgroups: Group[] = []): Group {
  const uuid = fields.uuid ?? anId();
  return {
    uuid,
    name,
    description: "",
    parent_uuid: null,
    is_default: false,
    quotas: { group_allocation: quota },
    running_instances: 0,
    user_count: 0,
    users: [],
    subgroups: subgroups.map((group) => ({ ...group, parent_uuid: uuid })),
    ...fields,
  };
}

export const aMember = (first_name: string): User =>
  aUser({
    uuid: anId(),
    first_name,
    last_name: "Moss",
    email: `${first_name.toLowerCase()}@demo.test`,
    is_organization_manager: false,
  });

/** Everyone, the default group; Mobile (10 devices) above Android (4) above Payments, and iOS; and who is in them. */
export function someGroups() {
  const payments = aGroup("Payments", { description: "Checkout and wallets" });
  const android = aGroup("Android", { quota: 4, running_instances: 3, user_count: 2 }, [payments]);
  const ios = aGroup("iOS");
  const mobile = aGroup("Mobile", { quota: 10, running_instances: 3 }, [android, ios]);
  const everyone = aGroup("Everyone", { is_default: true, user_count: 1 });
  const [ada, ben, cleo] = [aMember("Ada"), aMember("Ben"), aMember("Cleo")];
  return {
    groups: [everyone, mobile],
    everyone,
    mobile,
    android,
    payments,
    ios,
    members: new Map([
      [android.uuid, [ada, ben]],
      [everyone.uuid, [cleo]],
    ]),
    ada,
    ben,
    cleo,
  };
}
export type SomeGroups = ReturnType<typeof someGroups>;

const Address = () => <output aria-label="Address">{useLocation().search}</output>;

/** The page over a service that holds `data`; `answers` replaces some of its routes. The organization may run 20 devices. */
export async function openGroups(
  data: Pick<SomeGroups, "groups" | "members">,
  {
    address = "",
    answers = {},
    width = 1440,
  }: { address?: string; answers?: Record<string, (call: Call) => unknown>; width?: number } = {},
) {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(width, 900);
  const service = fakeService({
    "GET /v1/groups": () => data.groups,
    "GET /v1/organizations/:uuid": () => ({
      ...anOrganization(),
      quotas: { group_allocation: 20, group_allocation_remaining: 10 },
    }),
    "GET /v1/groups/:uuid/users": ({ path, query }) => {
      const users = data.members.get(path.split("/")[3] ?? "") ?? [];
      return aPage(users.filter(({ email }) => email.includes(query.get("search") ?? "")));
    },
    "GET /v2/users": () => aPage([...data.members.values()].flat()),
    "POST /v1/groups": ({ body }) => aGroup((body as Group).name),
    "PUT /v1/groups/:uuid": ({ body }) => aGroup((body as Group).name),
    "DELETE /v1/groups/:uuid": () => null,
    "(POST|PUT) /v1/groups/:uuid/users": () => data.groups[0],
    "DELETE /v1/groups/:uuid/users": () => null,
    ...answers,
  });
  const client = testCache();
  const page = (
    <MeContext value={manager}>
      <ScrollRestoration />
      <GroupsPage />
      <Snacks />
      <Address />
    </MeContext>
  );
  const router = createMemoryRouter([{ path: "*", element: page }], {
    initialEntries: [`/administration/groups${address}`],
  });
  const screen = await render(
    <InTestApp client={client} isRouted={false}>
      <RouterProvider router={router} />
    </InTestApp>,
  );
  const dialog = screen.getByRole("dialog");
  return {
    screen,
    service,
    client,
    dialog,
    back: () => router.navigate(-1),
    row: (name: string | RegExp) => screen.getByRole("treeitem", { name }),
    names: () =>
      screen
        .getByRole("treeitem")
        .elements()
        .map((row) => row.querySelector("[title]")?.getAttribute("title")),
    search: () => screen.getByLabelText("Address").element().textContent,
    press: (name: string | RegExp) => dialog.getByRole("button", { name }).click(),
    /** What the service was last sent. */
    sent: (method: string, path: RegExp) => service.to(method, path).at(-1)?.body,
  };
}
