import { Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { replayLinkHours } from "@terrarium/contract";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import LoaderCircle from "lucide-react/icons/loader-circle";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../../components/AppDialog.tsx";
import { dateTime } from "../../../components/dates.ts";
import { Icon } from "../../../components/Icon.tsx";
import { Segmented } from "../../../components/Segmented.tsx";
import { TextInput } from "../../../components/TextInput.tsx";
import { useCopy } from "../../../components/use-copy.ts";
import { shareReplay, unshareReplay } from "../../../shared/captures/captures.queries.ts";

interface Props {
  /** Saves the replay, unless it is saved already. Resolves with the uuid of the capture. */
  save: () => Promise<string>;
  onClose: () => void;
}

const words = { 1: "hour", 24: "day", 168: "week" } as const;

/** Makes a link to a replay, which anybody can open until it expires or is ended. */
export function ShareReplay({ save, onClose }: Props) {
  const { t } = useTranslation();
  const [hours, setHours] = useState<(typeof replayLinkHours)[number]>(24);
  const { isCopied, copy } = useCopy();
  const { mutate: share, data: link, isPending, reset } = useMutation(shareReplay);
  const { mutate: end, isPending: isEnding } = useMutation(unshareReplay);
  const [isSaving, setSaving] = useState(false);
  const make = () => {
    setSaving(true);
    save()
      .then(
        (uuid) => share({ uuid, hours }),
        // Whoever saves says why not.
        () => undefined,
      )
      .finally(() => setSaving(false));
  };
  const url = link && `${location.origin}/replay/${link.key}`;
  return (
    <AppDialog
      title={t("replay.share.title")}
      onClose={onClose}
      dismiss={t("common.close")}
      actions={
        link && url ? (
          <>
            <Button disabled={isEnding} onClick={() => end(link.uuid, { onSuccess: () => reset() })}>
              {t("replay.share.end")}
            </Button>
            <Button variant="contained" color="primary" onClick={() => copy(url)}>
              <Icon glyph={isCopied ? Check : Copy} />
              <span aria-live="polite">{isCopied ? t("common.copied") : t("replay.share.copy")}</span>
            </Button>
          </>
        ) : (
          <Button
            variant="contained"
            color="primary"
            loading={isSaving || isPending}
            loadingIndicator={<Icon glyph={LoaderCircle} spins />}
            onClick={make}
          >
            {t("replay.share.create")}
          </Button>
        )
      }
    >
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {t("replay.share.help")}
      </Typography>
      {link ? (
        <TextInput
          label={t("replay.share.link")}
          help={t("replay.share.until", { date: dateTime(link.expires_at, "") })}
          value={url}
          readOnly
          sx={{ typography: "mono" }}
          onFocus={({ target }) => target.select()}
        />
      ) : (
        <Segmented
          label={t("replay.share.for")}
          choices={replayLinkHours.map((each) => ({
            value: String(each),
            label: t(`replay.share.hours.${words[each]}`),
          }))}
          value={String(hours)}
          onChange={(chosen) => setHours(replayLinkHours.find((each) => String(each) === chosen) ?? hours)}
        />
      )}
    </AppDialog>
  );
}
