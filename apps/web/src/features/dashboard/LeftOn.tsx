import { Box, Link as TextLink, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { limits, type Overview } from "@terrarium/contract";
import Power from "lucide-react/icons/power";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { money } from "../../components/money.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { ToolButton } from "../../components/ToolButton.tsx";
import { launchpad } from "../../session/routes.ts";
import { stopDevices } from "../../shared/instances.queries.ts";
import { listRow } from "../../shared/row-list.ts";
import { StopDialog } from "../../shared/StopDialog.tsx";
import { Card } from "./Card.tsx";
import { sayUse } from "./say-use.ts";

type Device = Overview["left_on"]["results"][number];

/** Devices that run for long or that nobody uses, with the way to stop them. */
export function LeftOn({ leftOn: { count, results } }: { leftOn: Overview["left_on"] }) {
  const { t } = useTranslation();
  const { mutate: stop } = useMutation(stopDevices);
  const [asked, setAsked] = useState<Device>();
  const others = count - results.length;
  return (
    <Card
      title={t("dashboard.leftOn.title")}
      caption={t("dashboard.leftOn.about", { hours: limits.longRunHours, minutes: limits.unusedMinutes })}
    >
      {results.length === 0 ? (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 3 }}>
          {t("dashboard.leftOn.none")}
        </Typography>
      ) : (
        <Box component="ul" aria-label={t("dashboard.leftOn.title")} sx={list}>
          {results.map((device) => (
            <Box component="li" key={device.uuid} sx={listRow}>
              <Box sx={{ flex: 1, minWidth: 0, py: 2 }}>
                <Typography noWrap title={device.name} sx={{ fontWeight: 550 }}>
                  {device.name}
                </Typography>
                <Typography variant="caption" component="div" noWrap sx={{ color: "text.tertiary" }}>
                  {nameOf(device.owner)}
                </Typography>
                <Typography variant="caption" component="div" sx={{ color: "text.secondary" }}>
                  {t("dashboard.leftOn.online")} <RelativeTime time={device.online_at} />
                  {" · "}
                  {t("dashboard.leftOn.used")} <RelativeTime time={device.idle_since} />
                  {" · "}
                  {t(device.amount === null ? "dashboard.leftOn.prepaid" : "dashboard.leftOn.cost", {
                    time: sayUse(device.minutes * 60, t),
                    amount: money(device.amount ?? 0, device.currency),
                  })}
                  {device.stops_at === null && ` · ${t("dashboard.leftOn.never")}`}
                </Typography>
              </Box>
              <ToolButton
                glyph={Power}
                label={t("launchpad.deviceActions.stop", { name: device.name })}
                onClick={() => setAsked(device)}
              />
            </Box>
          ))}
        </Box>
      )}
      {others > 0 && (
        <TextLink component={Link} to={`${launchpad}?whose=organization&ordering=created_at`} variant="body2">
          {t("dashboard.leftOn.others", { count: others })}
        </TextLink>
      )}
      <StopDialog
        instances={asked ? [asked] : []}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          setAsked(undefined);
          if (asked) stop([asked]);
        }}
      />
    </Card>
  );
}

const list = { listStyle: "none", m: 0, mt: 2, p: 0, maxHeight: 360, overflowY: "auto" } as const;
