import { afterEach, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { aLiveSession, aParticipant } from "../../testing/factories.ts";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { soon } from "../../testing/soon.ts";
import { useHandNotices } from "./use-hand-notices.ts";

const kim = aParticipant("Kim", { can_control: false });
const session = aLiveSession({ participants: [kim] });
const said = () => readSnacks().map(({ message }) => message);
afterEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});

function Notices({ hands }: { hands: readonly string[] }) {
  useHandNotices(session, hands);
  return null;
}

it("who asks for control is told of once, given it by one press, and no longer told of when they take it back", async () => {
  const service = fakeService({ "PATCH /v1/livesessions/participants/:uuid": () => session });
  const page = (...hands: string[]) => (
    <InTestApp>
      <Notices hands={hands} />
    </InTestApp>
  );
  const screen = await render(page(kim.genyid, "a stranger"));
  expect(said()).toEqual(["Kim asks for control"]);
  readSnacks()[0]?.action?.run?.();
  await soon(() =>
    expect(service.to("PATCH", /./).map(({ path, body }) => [path, body])).toEqual([
      [`/v1/livesessions/participants/${kim.uuid}`, { can_control: true }],
    ]),
  );
  await screen.rerender(page());
  expect(said()).toEqual([]);
});
