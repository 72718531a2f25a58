import "../../en/trial.ts";
import type { Sent, trials } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client, session } from "../../session/client.ts";
import { organizationKey } from "../organizations.queries.ts";

interface Asked {
  user: string;
  organization: string;
  body: Sent<typeof trials.request>["body"];
}

/** Asks for a trial; whoever asks is called from then on what they have filled in. The form says what was refused. */
export const requestTrial = mutation({
  mutationKey: ["trial"],
  mutationFn: async ({ user, organization, body }: Asked) => {
    await client.trials.request({ params: { uuid: organization }, body });
    const { first_name, last_name } = body;
    const names = client.users.update({ params: { uuid: user }, body: { first_name, last_name } });
    // The request is what matters, and it has arrived.
    await names.then(
      (named) => session.update(named),
      () => undefined,
    );
  },
  invalidates: () => [organizationKey],
  says: (t) => t("trial.done"),
});
