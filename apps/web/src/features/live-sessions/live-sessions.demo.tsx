import { AppDialog } from "../../components/AppDialog.tsx";
import { MeContext } from "../../session/user.ts";
import { aLiveSession, aParticipant, manager } from "../../testing/factories.ts";
import { People } from "./People.tsx";

const nothing = () => undefined;
const kim = aParticipant("Kim");
const long = aParticipant("Somebody whose name was let grow as long as it may be, and then a little more", {
  can_control: false,
});
const session = aLiveSession({ participants: [kim, long] });

/** Who takes part in a live session, for its owner and for the others. */
export const demos = {
  owners: (
    <MeContext value={manager}>
      <AppDialog isLarge width={560} title="Share “payments-smoke-01” live" onClose={nothing} dismiss="Close">
        <People
          session={session}
          here={[manager.uuid, kim.genyid]}
          hands={[long.genyid]}
          onControl={nothing}
          onDecline={nothing}
          onRemove={nothing}
        />
      </AppDialog>
    </MeContext>
  ),
  participants: (
    <MeContext value={{ ...manager, uuid: kim.genyid }}>
      <AppDialog title="payments-smoke-01" onClose={nothing} dismiss="Close">
        <People session={session} here={[]} />
      </AppDialog>
    </MeContext>
  ),
};
