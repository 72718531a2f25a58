import "../../en/sessions.ts";
import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { SignInSession } from "@terrarium/contract";
import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import Terminal from "lucide-react/icons/terminal";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { longDate } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { Tag } from "../../components/Tag.tsx";
import { useDialog } from "../../components/use-dialog.tsx";
import { listRow } from "../../shared/row-list.ts";
import { deviceName } from "./device-name.ts";
import { endOtherSessions, endSession, ownSessions } from "./sessions.queries.ts";

/** The others are a press away: somebody who never signs out has hundreds. */
const SHOWN = 5;

/** Where one is signed in, the place used last first, and the way to sign out there. */
export function SignedInPlaces() {
  const { t } = useTranslation();
  const { data: places, error, refetch } = useQuery(ownSessions);
  const { mutate: end } = useMutation(endSession);
  const { mutate: endOthers } = useMutation(endOtherSessions);
  const { asked, ask, close } = useDialog<{ what: "others" }>();
  const shown = useRef<HTMLUListElement>(null);
  const [showsAll, setShowsAll] = useState(false);
  // What was pressed leaves with its place.
  const onSuccess = () => shown.current?.focus();
  if (error && !places)
    return (
      <ErrorState
        {...t("sessions.broken", { returnObjects: true })}
        error={error}
        onRetry={() => void refetch()}
        isSmall
      />
    );
  if (!places) return <PlacesLoading />;
  const others = places.filter(({ is_current }) => !is_current);
  const listed = places.filter(({ is_current }, index) => showsAll || is_current || index < SHOWN);
  return (
    <>
      <Box component="ul" ref={shown} tabIndex={-1} aria-label={t("sessions.list")} sx={list}>
        {listed.map((place) => (
          <Place key={place.uuid} place={place} onEnd={() => end(place, { onSuccess })} />
        ))}
      </Box>
      {listed.length < places.length && (
        <Button
          variant="text"
          sx={{ mt: 2, ml: -3 }}
          onClick={() => {
            setShowsAll(true);
            shown.current?.focus();
          }}
        >
          {t("sessions.more", { count: places.length - listed.length })}
        </Button>
      )}
      {others.length > 0 && (
        <Button variant="outlined" sx={{ mt: 4, display: "flex" }} onClick={() => ask({ what: "others" })}>
          {t("sessions.others.act")}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          isDestructive
          title={t("sessions.others.title", { count: others.length })}
          confirm={t("sessions.others.act")}
          onClose={close}
          onConfirm={() => {
            close();
            endOthers(undefined, { onSuccess });
          }}
        >
          <Typography color="textSecondary">{t("sessions.others.help")}</Typography>
        </ConfirmDialog>
      )}
    </>
  );
}

function Place({ place, onEnd }: { place: SignInSession; onEnd: () => void }) {
  const { t } = useTranslation();
  const device = deviceName(t, place);
  const address = place.address ?? t("sessions.noAddress");
  return (
    <Box component="li" sx={{ ...listRow, py: 3, flexWrap: { xs: "wrap", sm: "nowrap" } }}>
      <Icon glyph={glyphOf(place)} size={24} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: "flex", alignItems: "center", gap: 2, minWidth: 0 }}>
          <Typography noWrap title={device} sx={{ fontWeight: 550 }}>
            {device}
          </Typography>
          {place.is_current && <Tag>{t("sessions.here")}</Tag>}
        </Box>
        <Typography variant="caption" component="div" sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>
          {address} · {t("sessions.used")} <RelativeTime time={place.last_used_at ?? place.created_at} /> ·{" "}
          {t("sessions.since", { date: longDate(place.created_at, "") })}
        </Typography>
      </Box>
      {!place.is_current && (
        <Button variant="text" aria-label={t("sessions.signOutOne", { device, address })} onClick={onEnd}>
          {t("sessions.signOut")}
        </Button>
      )}
    </Box>
  );
}

const glyphOf = ({ device }: SignInSession) => {
  if (/(iPhone|iPad|Android)$/.test(device)) return Smartphone;
  return device.includes(" on ") ? Monitor : Terminal;
};

/** It takes room from the start, so that a link to the section can scroll to it on a phone. */
const PlacesLoading = () => (
  <Box sx={{ minHeight: 240 }}>
    <Delayed>
      {[1, 2].map((row) => (
        <Box key={row} sx={{ display: "flex", alignItems: "center", gap: 3, height: 56 }}>
          <Skeleton variant="circular" animation={false} width={24} height={24} />
          <Skeleton animation={false} width={`${40 + row * 10}%`} />
        </Box>
      ))}
    </Delayed>
  </Box>
);

const list = { listStyle: "none", m: 0, p: 0, "& > li:first-of-type": { borderTop: 0, pt: 0 } } as const;
