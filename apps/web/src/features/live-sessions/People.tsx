import { Box, Button, FormControlLabel, Switch, Typography } from "@mui/material";
import { limits, type LiveSession, type Participant } from "@terrarium/contract";
import X from "lucide-react/icons/x";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { nameOf, PersonMark } from "../../components/PersonMark.tsx";
import { ToolButton } from "../../components/ToolButton.tsx";
import { usePreference } from "../../components/use-preference.ts";
import { useMe } from "../../session/user.ts";
import { listRow, rowList } from "../../shared/row-list.ts";
import { showPointers } from "../../shared/show-pointers.ts";

interface Props {
  session: Pick<LiveSession, "owner" | "participants">;
  /** The uuids of those who look at the device now. */
  here: readonly string[];
  /** Of those who ask for control. */
  hands?: readonly string[];
  /** Missing for who may not change who takes part. */
  onControl?: (participant: Participant, canControl: boolean) => void;
  onDecline?: (participant: Participant) => void;
  onRemove?: (participant: Participant) => void;
}

/** Who takes part in a live session: the owner first. */
export function People({ session: { owner, participants }, here, hands = [], ...may }: Props) {
  const { onControl, onDecline, onRemove } = may;
  const { t } = useTranslation();
  const me = useMe();
  const [isOn, setOn] = usePreference(showPointers);
  const element = useRef<HTMLUListElement>(null);
  const label = t("liveSessions.share.people", { count: participants.length + 1, max: limits.liveSessionMembers });
  const rows = [
    { person: owner, participant: undefined },
    ...participants.map((participant) => ({ person: participant, participant })),
  ];
  return (
    <div>
      <Typography variant="label" component="h3" sx={{ mb: 1 }}>
        {label}
      </Typography>
      <Box component="ul" ref={element} tabIndex={-1} aria-label={label} sx={rowList}>
        {rows.map(({ person, participant }) => {
          const name = nameOf(person);
          const facts = [
            person.genyid === me.uuid && t("common.you"),
            !participant && t("liveSessions.share.owner"),
            here.includes(person.genyid) && t("liveSessions.share.here"),
            hands.includes(person.genyid) && t("liveSessions.hand.fact"),
            name !== person.email && person.email,
          ].filter(Boolean);
          return (
            <Box component="li" key={person.genyid} sx={listRow}>
              <PersonMark person={person} size={28} />
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography variant="body2" noWrap title={name} sx={{ fontWeight: 550 }}>
                  {name}
                </Typography>
                <Typography variant="caption" component="div" noWrap title={person.email} color="textSecondary">
                  {facts.join(" · ")}
                </Typography>
              </Box>
              {participant && onDecline && hands.includes(participant.genyid) && (
                <Button
                  variant="text"
                  onClick={() => {
                    element.current?.focus();
                    onDecline(participant);
                  }}
                  aria-label={t("liveSessions.hand.declineOf", { name })}
                >
                  {t("liveSessions.hand.decline")}
                </Button>
              )}
              {participant && onControl && (
                <Box component="label" sx={{ display: "flex", alignItems: "center", gap: 1, typography: "body2" }}>
                  <span aria-hidden="true">{t("liveSessions.share.touch")}</span>
                  <Switch
                    size="small"
                    checked={participant.can_control}
                    onChange={(_, canControl) => onControl(participant, canControl)}
                    slotProps={{ input: { role: "switch", "aria-label": t("liveSessions.share.mayTouch", { name }) } }}
                  />
                </Box>
              )}
              {participant && onRemove && (
                <ToolButton
                  glyph={X}
                  label={t("liveSessions.share.remove", { name })}
                  onClick={() => {
                    // The button had it, and goes with its row.
                    element.current?.focus();
                    onRemove(participant);
                  }}
                />
              )}
            </Box>
          );
        })}
      </Box>
      <FormControlLabel
        control={
          <Switch
            size="small"
            checked={isOn}
            onChange={(_, isOn) => setOn(isOn)}
            slotProps={{ input: { role: "switch" } }}
          />
        }
        label={t("liveSessions.pointers")}
        slotProps={{ typography: { variant: "body2" } }}
        sx={{ mt: 1.5, gap: 1, ml: 0 }}
      />
    </div>
  );
}
