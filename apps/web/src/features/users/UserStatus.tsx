import { Box, Switch, Tooltip } from "@mui/material";
import { type ListedUser, statusOf, type User } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { longDate } from "../../components/dates.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import { serviceNow } from "../../components/service-time.ts";
import { hasSwitch } from "./user-actions.ts";

interface Props {
  user: ListedUser;
  me: User;
  /** What the row is to become while that is asked for. */
  busy: Partial<User> | undefined;
  onChange: (isEnabled: boolean) => void;
}

/** Whether somebody may sign in, with the switch for it; who is invited is pending. */
export function UserStatus({ user, me, busy, onChange }: Props) {
  const { t } = useTranslation();
  const status = statusOf({ ...user, ...busy });
  if (status === "pending")
    return (
      <Box component="span" aria-busy={busy !== undefined} sx={{ opacity: busy ? 0.6 : 1 }}>
        <Pending invitation={user.invitation} />
      </Box>
    );
  const word = t(`users.statuses.${status}`);
  if (!hasSwitch(user, me)) return word;
  return (
    <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 1 }} aria-busy={busy !== undefined}>
      <Switch
        size="small"
        checked={status === "enabled"}
        sx={{ ml: -1.5, flex: "none", opacity: busy ? 0.6 : 1 }}
        onChange={(_, isOn) => busy || onChange(isOn)}
        onDoubleClick={(event) => event.stopPropagation()}
        slotProps={{ input: { role: "switch", "aria-label": t("users.mayEnter", { name: nameOf(user) }) } }}
      />
      {word}
    </Box>
  );
}

const hasExpired = (invitation: ListedUser["invitation"]): boolean =>
  invitation !== null && new Date(invitation.expires_at).getTime() <= serviceNow();

function Pending({ invitation }: Pick<ListedUser, "invitation">) {
  const { t } = useTranslation();
  const trouble = invitation?.has_failed ? t("users.refused") : hasExpired(invitation) ? t("users.expired") : undefined;
  const until = invitation ? t("users.invited", { date: longDate(invitation.expires_at, "") }) : undefined;
  const word = <em>{t("users.statuses.pending")}</em>;
  if (trouble)
    return (
      <span>
        {word}
        <Box component="span" sx={{ color: "error.main" }}>
          {` · ${trouble}`}
        </Box>
      </span>
    );
  if (until === undefined) return word;
  return (
    <Tooltip title={until} describeChild>
      <Box component="span" tabIndex={0}>
        {word}
      </Box>
    </Tooltip>
  );
}
