import { Box, Button, Paper, Skeleton, Typography } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import ExternalLink from "lucide-react/icons/external-link";
import { useTranslation } from "react-i18next";
import { useMe } from "../../session/user.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { Icon } from "../../components/Icon.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { CardMenu } from "./CardMenu.tsx";
import { actionsOf } from "./device-actions.ts";
import { InstanceState } from "../../shared/InstanceState.tsx";
import type { OnAct } from "./words.ts";

interface Props {
  instances: readonly Instance[] | undefined;
  onAct: OnAct;
}

/** The devices on a phone: a card for each. */
export function DeviceCards({ instances, onAct }: Props) {
  const { t } = useTranslation();
  if (!instances)
    return (
      <Delayed>
        {[1, 2, 3].map((card) => (
          <Skeleton key={card} variant="rounded" height={100} animation={false} sx={{ mb: 2, borderRadius: "10px" }} />
        ))}
      </Delayed>
    );
  return (
    <Box
      component="ul"
      aria-label={t("launchpad.table")}
      sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}
    >
      {instances.map((instance) => (
        <DeviceCard key={instance.uuid} instance={instance} onAct={onAct} />
      ))}
    </Box>
  );
}

function DeviceCard({ instance, onAct }: { instance: Instance; onAct: OnAct }) {
  const { t } = useTranslation();
  const { uuid, name, state, recipe, hardware_profile: profile, updated_at } = instance;
  const actions = actionsOf(instance, useMe());
  const canDisplay = actions.some(({ kind, unless }) => kind === "display" && unless === undefined);
  return (
    <Paper component="li" variant="outlined" sx={{ p: 3, borderRadius: "10px", boxShadow: "var(--glass-edge)" }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 3 }}>
        <FormFactorTile shape={shapeOf(profile)} label={t(`launchpad.shapes.${shapeOf(profile)}`)} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography noWrap sx={{ fontWeight: 550 }} component="h2">
            {name}
          </Typography>
          <Typography variant="caption" noWrap component="div" sx={{ color: "text.tertiary" }}>
            {recipe?.name ?? t("common.none")}
          </Typography>
        </Box>
        <InstanceState state={state} />
      </Box>
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 2,
          minHeight: 44,
          mb: -2,
          typography: "caption",
          color: "text.tertiary",
        }}
      >
        <Box component="span" sx={{ typography: "mono" }}>
          {uuid.slice(0, 8)}
        </Box>
        <span aria-hidden="true">·</span>
        <RelativeTime time={updated_at} />
        <Box sx={{ flex: 1 }} />
        {canDisplay && (
          <Button href={`/instance/${uuid}`} sx={{ color: "text.primary" }}>
            <Icon glyph={ExternalLink} />
            {t("launchpad.deviceActions.open")}
          </Button>
        )}
        <CardMenu instance={instance} actions={actions} onAct={onAct} />
      </Box>
    </Paper>
  );
}
