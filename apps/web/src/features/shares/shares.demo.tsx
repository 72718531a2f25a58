import { aRecipe, manager, organizationId } from "../../testing/factories.ts";
import { AppDialog } from "../../components/AppDialog.tsx";
import ShareForm from "./ShareForm.tsx";

const nothing = () => undefined;
const recipe = aRecipe({ name: "Fern", right: "owner" });
const since = "2026-03-05T14:00:00.000Z";
const shared = {
  ...recipe,
  share: { uuid: recipe.uuid, shared_by: manager, message: "", created_at: since },
};
const guest = { ...manager, uuid: recipe.uuid, email: "guest@demo.test", first_name: "", last_name: "" };

/** Whom a recipe is shared with. */
export const demos = {
  first: (
    <AppDialog isLarge width={560} title="Share “Fern”" onClose={nothing}>
      <ShareForm recipe={recipe} me={manager} share={undefined} onClose={nothing} />
    </AppDialog>
  ),
  again: (
    <AppDialog isLarge width={560} title="Share “Fern”" onClose={nothing}>
      <ShareForm
        recipe={shared}
        me={manager}
        share={{
          uuid: recipe.uuid,
          recipe_uuid: recipe.uuid,
          recipients: { users: [manager, guest] },
          organizations: [{ uuid: organizationId, name: "A name that somebody let grow as long as it may be" }],
          message: "Have a look at the new one.",
          shared_by: manager,
          created_at: since,
          updated_at: since,
        }}
        onClose={nothing}
      />
    </AppDialog>
  ),
};
