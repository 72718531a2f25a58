import "../../en/users.ts";
import { Typography } from "@mui/material";
import { useMutation, useMutationState } from "@tanstack/react-query";
import type { ListedUser } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { useMe } from "../../session/user.ts";
import { auditAddress } from "../../shared/audit-address.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { EditUserDialog } from "./EditUserDialog.tsx";
import { InviteDialog } from "./InviteDialog.tsx";
import { userList } from "./user-list.tsx";
import {
  cancelInvitation,
  editRole,
  editStatus,
  editUser,
  resendInvitations,
  type UserAct,
  userActs,
} from "./users.queries.ts";

type Asked =
  | { what: "invite" }
  | { what: "edit" | "cancel"; user: ListedUser }
  | { what: "deny"; users: readonly ListedUser[] };

/** The people of one's organization, and those who are invited to it. */
export default function UsersPage() {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<Asked>();
  const navigate = useNavigate();
  const { mutate: setRole } = useMutation(editRole);
  const { mutate: setStatus } = useMutation(editStatus);
  const { mutate: resend } = useMutation(resendInvitations);
  const { mutate: cancel } = useMutation(cancelInvitation);
  const acts = useMutationState({
    filters: {
      mutationKey: userActs,
      status: "pending",
      // While names are saved their dialog is open, and the row must still have the action to which the focus returns.
      predicate: ({ options }) => options.mutationKey !== editUser.mutationKey,
    },
    select: ({ state }) => state.variables as UserAct,
  });
  const busy = new Map(acts.flatMap(({ users, change = {} }) => users.map(({ uuid }) => [uuid, change] as const)));
  const list = useList(userList, {
    t,
    me: useMe(),
    busy,
    setStatus: (users, is_enabled) => {
      // One switch is as easily switched back; several people who are signed out at once are not.
      if (!is_enabled && users.length > 1) ask({ what: "deny", users });
      else setStatus({ users, change: { is_enabled } });
    },
    resend: (users) => resend({ users }),
    act: (action, user) => {
      if (action === "edit" || action === "cancel") ask({ what: action, user });
      else if (action === "audit") void navigate(auditAddress({ search: user.email }));
      else if (action === "resend") resend({ users: [user] });
      else setRole({ users: [user], change: { is_organization_manager: action === "setManager" } });
    },
  });
  return (
    <>
      <AdministrationHeader action={{ label: t("users.invite"), run: () => ask({ what: "invite" }) }} />
      <ListView state={list} empty={<EmptyState title={t("users.empty.title")} help={t("users.empty.help")} />} />
      <OpenDialog
        asked={asked}
        dialogs={{
          invite: () => <InviteDialog onClose={close} />,
          edit: ({ user }) => <EditUserDialog user={user} onClose={close} />,
          deny: ({ users }) => (
            <ConfirmDialog
              isDestructive
              title={t("users.denyDialog.title", { count: users.length })}
              confirm={t("users.bulk.disable", { count: users.length })}
              onClose={close}
              onConfirm={() => {
                close();
                list.select(new Set());
                setStatus({ users, change: { is_enabled: false } });
              }}
            >
              <Typography color="textSecondary">{t("users.denyDialog.help")}</Typography>
            </ConfirmDialog>
          ),
          cancel: ({ user }) => (
            <ConfirmDialog
              isDestructive
              title={t("users.cancelDialog.title", { name: nameOf(user) })}
              dismiss={t("users.cancelDialog.keep")}
              confirm={t("users.cancelDialog.confirm")}
              onClose={close}
              onConfirm={() => {
                close();
                cancel({ users: [user] });
              }}
            >
              <Typography color="textSecondary">{t("users.cancelDialog.help")}</Typography>
            </ConfirmDialog>
          ),
        }}
      />
    </>
  );
}
