import { Button, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Instance, limits, type LiveSession, maxLength } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { DialogBody } from "../../components/DialogBody.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import type { Broken } from "../../components/form/app-form.ts";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { useMe } from "../../session/user.ts";
import { LoadingShare } from "../../shared/LoadingShare.tsx";
import { unknownEmails } from "../../shared/colleagues.queries.ts";
import { emailRules } from "../../shared/email-rules.ts";
import { EmailsField } from "../../shared/EmailsField.tsx";
import {
  endSession,
  inviteToSession,
  removeParticipant,
  sessionOfDevice,
  setControl,
} from "./live-sessions.queries.ts";
import { People } from "./People.tsx";

interface Props {
  instance: Pick<Instance, "uuid" | "name">;
  /** Who looks at the device now and asks for control. */
  room: { here: readonly string[]; hands: readonly string[]; decline: (user: string) => void };
  onClose: () => void;
}

/** With whom a device is shared while it runs: invites people, lets them touch or only watch, removes them, and ends it. */
export default function ShareDeviceDialog({ instance, room, onClose }: Props) {
  const { t } = useTranslation();
  const { data: session, error, refetch } = useQuery(sessionOfDevice(instance.uuid));
  const hasFailed = error !== null && session === undefined;
  return (
    <AppDialog isLarge width={560} title={t("liveSessions.share.title", instance)} onClose={onClose}>
      {hasFailed && (
        <ErrorState
          title={t("fetchLiveSessions")}
          help={t("liveSessions.failed")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {session === undefined && !hasFailed && <LoadingShare />}
      {session !== undefined && <ShareForm instance={instance} room={room} session={session} onClose={onClose} />}
    </AppDialog>
  );
}

const atLeastOne = (emails: readonly string[]): Broken | undefined =>
  emails.length === 0 ? { says: "required" } : undefined;
const maxInvited = limits.liveSessionMembers - 1;

function ShareForm({ instance, room, session, onClose }: Props & { session: LiveSession | null }) {
  const { t } = useTranslation();
  const isGuest = useMe().role === "guest";
  const { mutateAsync: invite, error } = useMutation(inviteToSession);
  const { mutate: control } = useMutation(setControl);
  const { mutate: remove } = useMutation(removeParticipant);
  const count = session?.participants.length ?? 0;
  const initial: { emails: string[]; message: string } = { emails: [], message: "" };
  const form = useAppForm({
    initial,
    rules: {
      emails: [atLeastOne, ...emailRules<typeof initial>(t, maxInvited - count)],
      message: [maxLength(limits.liveSessionMessageLength)],
    },
    async send({ emails, message }) {
      await invite({ device: instance, emails, message: message.trim() });
      onClose();
    },
    refusalOf: (code) => {
      switch (code) {
        case "RECIPIENTS_NOT_FOUND":
          return { field: "emails", says: t("addOrganizationUsers.errors.emailsUnknown") };
        case "LIVE_SESSION_FULL":
          return { field: "emails", says: t("errors.sessionFull", { max: limits.liveSessionMembers }) };
        case "TOO_MANY_REQUESTS":
          return t("errors.tooManySessionInvitations");
        default:
          return t("errors.inviteToSession");
      }
    },
  });
  const isFull = count >= maxInvited;
  return (
    <DialogBody
      actions={
        <>
          {session && <EndSession session={session} onEnd={onClose} />}
          <Button variant="text" onClick={onClose}>
            {t("common.close")}
          </Button>
          {!isFull && (
            <SubmitButton form={form} busy={t("liveSessions.share.busy")}>
              {t("liveSessions.share.submit")}
            </SubmitButton>
          )}
        </>
      }
    >
      {isFull ? (
        <Typography color="textSecondary">{t("liveSessions.share.full")}</Typography>
      ) : (
        <Form form={form} takesFocus={!session}>
          <EmailsField
            form={form}
            name="emails"
            label={t("liveSessions.share.emails")}
            help={t("liveSessions.share.emailsHelp")}
            unknown={unknownEmails(error)}
            isForOthers={isGuest}
          />
          <TextField
            multiline
            minRows={2}
            maxRows={8}
            form={form}
            name="message"
            label={t("liveSessions.share.message")}
            help={t("liveSessions.share.messageHelp")}
            max={limits.liveSessionMessageLength}
          />
        </Form>
      )}
      {session && (
        <People
          session={session}
          here={room.here}
          hands={room.hands}
          onControl={(participant, canControl) => control({ participant, canControl })}
          onDecline={({ genyid }) => room.decline(genyid)}
          onRemove={remove}
        />
      )}
    </DialogBody>
  );
}

/** Ends the whole session, once that is confirmed. */
function EndSession({ session, onEnd }: { session: LiveSession; onEnd: () => void }) {
  const { t } = useTranslation();
  const { mutate } = useMutation(endSession);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="text" color="error" onClick={() => setAsked(true)} sx={{ mr: "auto", color: "error.main" }}>
        {t("liveSessions.share.end")}
      </Button>
      {isAsked && (
        <ConfirmDialog
          isDestructive
          title={t("liveSessions.share.endDialog.title", session.instance)}
          confirm={t("liveSessions.share.end")}
          onClose={() => setAsked(false)}
          onConfirm={() => {
            onEnd();
            mutate(session);
          }}
        >
          <Typography color="textSecondary">{t("liveSessions.share.endDialog.help")}</Typography>
        </ConfirmDialog>
      )}
    </>
  );
}
