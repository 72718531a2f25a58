import { limits, type LiveSession } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { MeContext } from "../../session/user.ts";
import { aLiveSession, aParticipant, guest, manager } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import ShareDeviceDialog from "./ShareDeviceDialog.tsx";

const kim = aParticipant("Kim");
const running = aLiveSession({ participants: [kim] });

beforeEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});

async function open(
  session: LiveSession | undefined,
  answers: Parameters<typeof fakeService>[0] = {},
  me: typeof manager = manager,
  hands: readonly string[] = [],
) {
  const onClose = vi.fn();
  const room = { here: [kim.genyid], hands, decline: vi.fn() };
  let now = session;
  const service = fakeService({
    "GET /v2/users": () => aPage([]),
    "GET /v1/livesessions": () => aPage(now ? [now] : []),
    "POST /v1/livesessions": () => running,
    "PATCH /v1/livesessions/participants/:uuid": ({ body }) => {
      now = now && { ...now, participants: [{ ...kim, ...(body as object) }] };
      return now;
    },
    "DELETE /v1/livesessions/participants/:uuid": () => {
      now = now && { ...now, participants: [] };
      return new Response(null, { status: 204 });
    },
    "DELETE /v1/livesessions/:uuid": () => new Response(null, { status: 204 }),
    ...answers,
  });
  const screen = await render(
    <InTestApp>
      <MeContext value={me}>
        <ShareDeviceDialog instance={running.instance} room={room} onClose={onClose} />
      </MeContext>
    </InTestApp>,
  );
  const press = (name: string) => screen.getByRole("button", { name, exact: true }).click();
  const emails = screen.getByRole("combobox", { name: "Email addresses" });
  const type = async (text: string) => {
    await emails.click();
    await userEvent.keyboard(`${text},`);
  };
  return { screen, service, room, onClose, press, type, emails };
}
const said = () => readSnacks().map(({ message }) => message);

describe("sharing a device live", () => {
  it("invites people with a message", async () => {
    const { screen, service, onClose, press, type } = await open(undefined);
    await type("kim@demo.test,lee@demo.test");
    await screen.getByLabelText("Message").fill(" Have a look ");
    expect(nameless()).toEqual([]);
    expect(screen.getByRole("button", { name: "End session" }).query()).toBeNull();
    await press("Invite");
    await soon(() => expect(said()).toEqual(["Invited 2 people to payments-smoke-01"]));
    expect(onClose).toHaveBeenCalled();
    const body = { instance: running.instance.uuid, invitations: ["kim@demo.test", "lee@demo.test"] };
    expect(service.to("POST", /livesessions/).map((call) => call.body)).toEqual([{ ...body, message: "Have a look" }]);
  });

  it.each([
    ["nobody", "", /required/i],
    ["a malformed address", "abc", "Some emails are invalid."],
    ["more than fit, with the owner and who is in it", "a@b.cd,c@b.cd,d@b.cd,e@b.cd", "Too many emails. Limit is 3."],
  ])("refuses %s", async (_, text, says) => {
    const { screen, service, press, type, emails } = await open(running);
    await type(text);
    await press("Invite");
    await expect.element(screen.getByText(says)).toBeVisible();
    await expect.element(emails).toBeInvalid();
    expect(service.to("POST", /./)).toEqual([]);
  });

  it.each([
    ["LIVE_SESSION_FULL", "A live session has at most 5 people, you among them."],
    ["TOO_MANY_REQUESTS", "You invited a lot of people in a short time. Wait a while, then try again."],
    ["INSTANCE_NOT_RUNNING", "Fail to invite to the live session."],
  ] as const)("says that it was refused with %s", async (code, says) => {
    const { screen, press, type, onClose } = await open(undefined, { "POST /v1/livesessions": refuse(code) });
    await type("kim@demo.test");
    await press("Invite");
    await expect.element(screen.getByText(says)).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
  });

  it("names whom the service does not find, and takes them out", async () => {
    const { screen, press, type } = await open(undefined, {
      "POST /v1/livesessions": refuse("RECIPIENTS_NOT_FOUND", { unknown: "who@demo.test" }),
    });
    await type("kim@demo.test,who@demo.test");
    await press("Invite");
    await expect.element(screen.getByText("Some emails weren't found in the organization.")).toBeVisible();
    await press("Remove it");
    await expect.element(screen.getByRole("button", { name: "Remove who@demo.test" })).not.toBeInTheDocument();
  });

  it("asks a guest for whole addresses, as they have no colleagues to be offered", async () => {
    const { service, type } = await open(undefined, {}, guest);
    await type("kim@demo.test");
    expect(service.to("GET", /users/)).toEqual([]);
  });
});

describe("a session that runs", () => {
  it("shows who takes part, lets them touch or watch, and removes them", async () => {
    const { screen, service, press, emails } = await open(running);
    const people = screen.getByRole("list", { name: "In this session, 2 of 5" });
    // Nobody has to be invited by who only looks after those who are here.
    await expect.element(emails).not.toHaveFocus();
    await expect.element(people.getByText("You · Owner · manager@demo.test")).toBeVisible();
    await expect.element(people.getByText("here now · kim@demo.test")).toBeVisible();
    const touch = screen.getByRole("switch", { name: "Kim may touch the device" });
    await touch.click();
    await expect.element(touch).not.toBeChecked();
    expect(service.to("PATCH", /./).map(({ path, body }) => [path, body])).toEqual([
      [`/v1/livesessions/participants/${kim.uuid}`, { can_control: false }],
    ]);
    await press("Remove Kim");
    await expect.element(screen.getByRole("list", { name: "In this session, 1 of 5" })).toHaveFocus();
    expect(service.to("DELETE", /./).map(({ path }) => path)).toEqual([`/v1/livesessions/participants/${kim.uuid}`]);
  });

  it("shows who asks for control, and declines that", async () => {
    const { screen, room, press } = await open(running, {}, manager, [kim.genyid]);
    await expect.element(screen.getByText("here now · asks for control · kim@demo.test")).toBeVisible();
    await press("Decline, Kim");
    expect(room.decline).toHaveBeenCalledWith(kim.genyid);
  });

  it("offers no more places than there are", async () => {
    const participants = ["Kim", "Lee", "Zoe", "Ari"].map((name) => aParticipant(name));
    expect(participants.length + 1).toBe(limits.liveSessionMembers);
    const { screen, emails } = await open({ ...running, participants });
    await expect.element(screen.getByText(/As many people take part as can/)).toBeVisible();
    expect(emails.query()).toBeNull();
    expect(screen.getByRole("button", { name: "Invite" }).query()).toBeNull();
  });

  it("ends once that is confirmed", async () => {
    const { screen, service, press, onClose } = await open(running);
    await press("End session");
    const dialog = screen.getByRole("dialog", { name: "End the live session of “payments-smoke-01”?" });
    await dialog.getByRole("button", { name: "End session" }).click();
    await soon(() => expect(said()).toEqual(["Ended the live session of payments-smoke-01"]));
    expect(service.to("DELETE", /./).map(({ path }) => path)).toEqual([`/v1/livesessions/${running.uuid}`]);
    expect(onClose).toHaveBeenCalled();
  });

  it("that does not load is tried again", async () => {
    let works = false;
    const { screen, press } = await open(running, {
      "GET /v1/livesessions": () => (works ? aPage([running]) : refuse("INTERNAL_ERROR")()),
    });
    await expect.element(screen.getByText("Fail to fetch live sessions.")).toBeVisible();
    works = true;
    await press("Try again");
    await expect.element(screen.getByText("Kim", { exact: true })).toBeVisible();
  });
});
