import { useMutation } from "@tanstack/react-query";
import type { LiveSession } from "@terrarium/contract";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { nameOf } from "../../components/PersonMark.tsx";
import { snack } from "../../components/snack-queue.ts";
import { setControl } from "./live-sessions.queries.ts";

/** Notifies the owner of who asks for control, with the way to give it. A notice is withdrawn with its request. */
export function useHandNotices(session: LiveSession | null | undefined, hands: readonly string[]): void {
  const { t } = useTranslation();
  const { mutate: control } = useMutation(setControl);
  const notices = useRef(new Map<string, () => void>());
  useEffect(() => {
    for (const [user, takeBack] of notices.current) {
      if (hands.includes(user)) continue;
      takeBack();
      notices.current.delete(user);
    }
    for (const participant of session?.participants ?? []) {
      if (!hands.includes(participant.genyid) || notices.current.has(participant.genyid)) continue;
      const notice = snack("info", t("liveSessions.hand.asks", { name: nameOf(participant) }), {
        label: t("liveSessions.hand.give"),
        run: () => control({ participant, canControl: true }),
      });
      notices.current.set(participant.genyid, notice);
    }
  }, [session, hands, control, t]);
}
