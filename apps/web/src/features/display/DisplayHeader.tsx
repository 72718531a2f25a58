import "../../en/apps.ts";
import { Box, Button, IconButton, Tooltip, Typography } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import ArrowLeft from "lucide-react/icons/arrow-left";
import PackagePlus from "lucide-react/icons/package-plus";
import Power from "lucide-react/icons/power";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { launchpad } from "../../session/routes.ts";
import { CopyId } from "../../components/CopyId.tsx";
import { Icon } from "../../components/Icon.tsx";
import { InstanceState } from "../../shared/InstanceState.tsx";
import { TimeLeft } from "./TimeLeft.tsx";

interface Props {
  /** What stands in place of the name of a device. */
  title?: string;
  /** Undefined until it is known; the way back is there from the start. */
  instance?: Instance | undefined;
  /** Missing when the device does not take a stop. */
  onStop?: (() => void) | undefined;
  /** Whether they manage the organization that it counts for. */
  decides?: boolean | undefined;
  /** Lets it run for another hour; missing for who may not. */
  onExtend?: (() => void) | undefined;
  /** Puts an app on it; missing while it takes none. */
  onInstall?: (() => void) | undefined;
  /** Missing for who may not see the device. */
  save?: { run: () => void; reason: string | undefined } | undefined;
  /** Where its way back leads. */
  back?: string;
  /** What more can be done with it. */
  children?: React.ReactNode;
}

/** What the device is, how long it has, and the ways out. */
export function DisplayHeader({
  title,
  instance,
  onStop,
  decides,
  onExtend,
  onInstall,
  save,
  back = launchpad,
  children,
}: Props) {
  const { t } = useTranslation();
  return (
    <Box component="header" sx={bar}>
      <Tooltip title={t("display.back")}>
        <IconButton component={Link} to={back} aria-label={t("display.back")} sx={touch}>
          <Icon glyph={ArrowLeft} size={18} />
        </IconButton>
      </Tooltip>
      <Typography variant="h1" noWrap title={instance?.name} sx={heading}>
        {instance?.name ?? title ?? t("display.untitled")}
      </Typography>
      {instance && (
        // A phone has room for the name; what state it is in shows on the stage.
        <Box sx={details}>
          <InstanceState {...instance} />
          <Box sx={{ display: { xs: "none", md: "flex" } }}>
            <CopyId id={instance.uuid} />
          </Box>
        </Box>
      )}
      <Box sx={{ flex: 1, display: { xs: "none", sm: "block" } }} />
      {instance?.stops_at && (
        <TimeLeft stopsAt={instance.stops_at} because={instance.stops_because} decides={decides} onExtend={onExtend} />
      )}
      {children}
      {onInstall && (
        <Tooltip title={t("apps.install")}>
          <Button onClick={onInstall} aria-label={t("apps.install")} sx={[touch, { flex: "none" }]}>
            <Icon glyph={PackagePlus} />
          </Button>
        </Tooltip>
      )}
      {save && (
        <Tooltip title={save.reason ?? t("display.save")}>
          <Button
            onClick={save.reason === undefined ? save.run : undefined}
            aria-label={t("display.save")}
            aria-description={save.reason}
            aria-disabled={save.reason !== undefined || undefined}
            sx={[touch, { flex: "none", "&[aria-disabled=true]": { opacity: 0.45, cursor: "default" } }]}
          >
            <Icon glyph={ArrowDownToLine} />
            <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
              {t("display.saveShort")}
            </Box>
          </Button>
        </Tooltip>
      )}
      {onStop && (
        <Button onClick={onStop} aria-label={t("display.stop.action")} sx={[touch, { flex: "none" }]}>
          <Icon glyph={Power} />
          <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
            {t("display.stop.action")}
          </Box>
        </Button>
      )}
    </Box>
  );
}

const touch = { minWidth: { xs: 44, sm: 0 }, minHeight: { xs: 44, sm: 0 } };

/** On a phone it takes what the buttons leave; where they leave nothing they go below it. */
const heading = { fontSize: "0.9375rem", minWidth: { xs: 24, sm: 48 }, flex: { xs: "1 1 24px", sm: "0 1 auto" } };

const details = {
  display: { xs: "none", sm: "flex" },
  alignItems: "center",
  gap: "12px",
  flex: "none",
  color: "text.secondary",
  "&& button": { opacity: 1, ml: "4px" },
};

const bar = {
  display: "flex",
  alignItems: "center",
  flexWrap: { xs: "wrap", sm: "nowrap" },
  gap: { xs: "4px", sm: "8px" },
  minHeight: 56,
  flex: "none",
  minWidth: 0,
  padding: { xs: "4px", sm: "0 12px 0 8px" },
  borderBottom: "1px solid",
  borderColor: "divider",
  bgcolor: "background.default",
};
