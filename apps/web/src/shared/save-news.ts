import type { InstanceChange } from "@terrarium/contract";
import { t } from "i18next";
import "../en/devices.ts";
import { snack } from "../components/snack-queue.ts";
import { session } from "../session/client.ts";

/** One's own devices that are being saved. */
const saving = new Set<string>();

/** Announces the outcome of a save, wherever one is by then: the device leaves the list. */
export function announceSave({ uuid, owner_uuid: owner, name, state, save }: InstanceChange): void {
  if (owner !== session.current?.user.uuid) return;
  if (state === "SAVING") saving.add(uuid);
  else if (saving.delete(uuid)) {
    if (state === "ONLINE")
      snack("error", t(`launchpad.deviceActions.notSaved.${save?.error ?? "SAVE_FAILED"}`, { name }));
    else if (state === "ERROR") snack("error", t("launchpad.deviceActions.saveFailed", { name }));
    else snack("success", t("launchpad.deviceActions.saved", { name }));
  }
}

export const forgetSaves = (): void => saving.clear();
