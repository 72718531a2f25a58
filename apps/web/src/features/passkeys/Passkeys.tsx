import "../../en/passkeys.ts";
import { Box, Button, Skeleton, Tooltip, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits, type Passkey } from "@terrarium/contract";
import KeyRound from "lucide-react/icons/key-round";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { longDate } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { Tag } from "../../components/Tag.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { publicSettings } from "../../session/settings.ts";
import { useMe } from "../../session/user.ts";
import { listRow } from "../../shared/row-list.ts";
import { SaveCodesDialog } from "../../shared/recovery-codes/SaveCodesDialog.tsx";
import { AddPasskeyDialog } from "./AddPasskeyDialog.tsx";
import { whyNoPasskeys } from "../../shared/passkeys/browser-passkeys.ts";
import { passkeysOf } from "./passkeys.queries.ts";
import { RemovePasskeyDialog } from "./RemovePasskeyDialog.tsx";
import { RenamePasskeyDialog } from "./RenamePasskeyDialog.tsx";

/** One's passkeys, and the way to add one where the browser can. */
export function Passkeys() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(passkeysOf(useMe().uuid));
  const { data: settings } = useQuery(publicSettings);
  const { asked, ask, close } = useDialog<
    | { what: "add" }
    | { what: "keep"; codes: string[] }
    | { what: "rename"; passkey: Passkey }
    | { what: "remove"; passkey: Passkey }
  >();
  const shown = useRef<HTMLDivElement>(null);
  /** For a dialog whose opener is gone with it: it would leave the focus nowhere. */
  const closeAndFocus = () => {
    flushSync(close);
    shown.current?.focus();
  };
  if (error && !data)
    return (
      <ErrorState
        {...t("passkeys.broken", { returnObjects: true })}
        error={error}
        onRetry={() => void refetch()}
        isSmall
      />
    );
  if (!data || !settings)
    return (
      <Delayed>
        <Skeleton variant="rounded" height={56} component="output" aria-label={t("passkeys.loading")} />
      </Delayed>
    );
  const { passkeys, suggested_name } = data;
  const why = whyNoPasskeys(settings);
  const isFull = passkeys.length >= limits.passkeys;
  return (
    <Box ref={shown} tabIndex={-1} sx={section}>
      {passkeys.length === 0 ? (
        <Typography color="textSecondary">{t("passkeys.none")}</Typography>
      ) : (
        <Box component="ul" aria-label={t("passkeys.list")} sx={list}>
          {passkeys.map((passkey) => (
            <Row
              key={passkey.uuid}
              passkey={passkey}
              onRename={() => ask({ what: "rename", passkey })}
              onRemove={() => ask({ what: "remove", passkey })}
            />
          ))}
        </Box>
      )}
      {why || isFull ? (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
          {why
            ? t(`passkeys.why.${why}`, { at: settings.passkeys_at ?? "" })
            : t("passkeys.full", { max: limits.passkeys })}
        </Typography>
      ) : (
        <Button variant="outlined" onClick={() => ask({ what: "add" })}>
          {t("passkeys.add.open")}
        </Button>
      )}
      <OpenDialog
        asked={asked}
        dialogs={{
          add: () => (
            <AddPasskeyDialog
              suggested={suggested_name}
              onClose={close}
              onAdded={(codes) => (codes.length > 0 ? ask({ what: "keep", codes }) : close())}
            />
          ),
          keep: ({ codes }) => <SaveCodesDialog codes={codes} onDone={closeAndFocus} />,
          rename: ({ passkey }) => <RenamePasskeyDialog passkey={passkey} onClose={close} />,
          remove: ({ passkey }) => <RemovePasskeyDialog passkey={passkey} onClose={close} onRemoved={closeAndFocus} />,
        }}
      />
    </Box>
  );
}

interface RowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function Row({ passkey, onRename, onRemove }: RowProps) {
  const { t } = useTranslation();
  const { name, last_used_at, created_at, is_synced } = passkey;
  const kind = !passkey.works_here ? "elsewhere" : is_synced ? "synced" : "bound";
  return (
    <Box component="li" sx={{ ...listRow, py: 3, flexWrap: { xs: "wrap", sm: "nowrap" } }}>
      <Icon glyph={KeyRound} size={24} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: "flex", alignItems: "center", gap: 2, minWidth: 0 }}>
          <Typography noWrap title={name} sx={{ fontWeight: 550 }}>
            {name}
          </Typography>
          <Tooltip title={t(`passkeys.${kind}Help`)} describeChild>
            <Tag tabIndex={0}>{t(`passkeys.${kind}`)}</Tag>
          </Tooltip>
        </Box>
        <Typography variant="caption" component="div" sx={{ color: "text.secondary" }}>
          {last_used_at ? (
            <>
              {t("passkeys.used")} <RelativeTime time={last_used_at} />
            </>
          ) : (
            t("passkeys.unused")
          )}{" "}
          · {t("passkeys.since", { date: longDate(created_at, "") })}
        </Typography>
      </Box>
      <Box sx={{ display: "flex", flexBasis: { xs: "100%", sm: "auto" }, pl: { xs: 8, sm: 0 } }}>
        <Button variant="text" aria-label={t("passkeys.rename.named", { name })} onClick={onRename}>
          {t("passkeys.rename.act")}
        </Button>
        <Button variant="text" aria-label={t("passkeys.remove.named", { name })} onClick={onRemove}>
          {t("passkeys.remove.act")}
        </Button>
      </Box>
    </Box>
  );
}

const section = {
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  justifyItems: "start",
  gap: 4,
  outline: 0,
} as const;
const list = {
  listStyle: "none",
  m: 0,
  p: 0,
  width: "100%",
  "& > li:first-of-type": { borderTop: 0, pt: 0 },
} as const;
