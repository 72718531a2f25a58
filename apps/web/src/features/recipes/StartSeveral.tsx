import { Alert, Box, Button, DialogActions, Link, Typography } from "@mui/material";
import type { Instance, Organization } from "@terrarium/contract";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleMinus from "lucide-react/icons/circle-minus";
import LoaderCircle from "lucide-react/icons/loader-circle";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import type { Me } from "../../session/user.ts";
import { LicenseHint } from "./LicenseHint.tsx";
import { LimitDialog } from "./LimitDialog.tsx";
import { startErrorKey } from "./start-error.ts";
import type { Attempt, useStartSeveral } from "./use-start-several.ts";

interface Props {
  me: Me;
  organization: Organization | undefined;
  starter: ReturnType<typeof useStartSeveral>;
  /** With what has started. */
  onDone: (devices: readonly Instance[]) => void;
}

const glyphs = {
  waiting: CircleDashed,
  starting: LoaderCircle,
  started: CircleCheck,
  failed: TriangleAlert,
  skipped: CircleMinus,
} as const satisfies Record<Attempt["state"], unknown>;
const colours = { started: "success.main", failed: "error.main" } as const;

/** Several devices being started: the outcome of each, and the way to stop the rest. */
export function StartSeveral({ me, organization, starter, onDone }: Props) {
  const { t } = useTranslation();
  const { several } = starter;
  if (!several) return null;
  const { attempts, isRunning, limit, of } = several;
  const devices = attempts.flatMap(({ device }) => device ?? []);
  const isWhole = devices.length === attempts.length;
  const done = () => onDone(devices);
  return (
    <>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: "auto", px: 6, pb: 4, borderTop: 1, borderColor: "divider" }}>
        <Typography variant="h3" component="output" sx={{ display: "block", py: 4 }}>
          {t("recipes.several.progress", { started: devices.length, count: attempts.length })}
        </Typography>
        {!isRunning && !isWhole && (
          <Alert severity="warning" sx={{ mb: 3 }}>
            {t("recipes.several.incomplete")}{" "}
            <LicenseHint code={attempts.find(({ code }) => code !== undefined)?.code} me={me} />
          </Alert>
        )}
        <Box component="ul" aria-label={t("recipes.several.list")} sx={{ listStyle: "none", m: 0, p: 0 }}>
          {attempts.map((attempt) => (
            <Outcome key={attempt.key} attempt={attempt} me={me} />
          ))}
        </Box>
      </Box>
      <DialogActions sx={{ borderTop: 1, borderColor: "divider" }}>
        {isRunning ? (
          <Button onClick={starter.stopTheRest}>{t("recipes.several.stopTheRest")}</Button>
        ) : (
          <>
            {!isWhole && <Button onClick={starter.resume}>{t("recipes.several.resume")}</Button>}
            <Button variant="contained" color="primary" onClick={done}>
              {t("recipes.several.done")}
            </Button>
          </>
        )}
      </DialogActions>
      {limit !== undefined && !isRunning && (
        <LimitDialog
          code={limit}
          me={me}
          recipe={of.recipe.name}
          organization={organization}
          onClose={starter.forgetLimit}
          onRetry={starter.resume}
        />
      )}
    </>
  );
}

function Outcome({ attempt: { name, state, device, code }, me }: { attempt: Attempt; me: Me }) {
  const { t } = useTranslation();
  const colour = state === "started" || state === "failed" ? colours[state] : "text.tertiary";
  return (
    <Box component="li" sx={{ display: "flex", alignItems: "center", gap: 3, minHeight: 44 }}>
      <Box component="span" sx={{ color: colour, display: "inline-flex" }}>
        <Icon glyph={glyphs[state]} spins={state === "starting"} />
      </Box>
      <Typography noWrap sx={{ fontWeight: 550, flex: 1, minWidth: 0 }} title={device?.name ?? name}>
        {device?.name ?? name}
      </Typography>
      <Typography variant="body2" sx={{ color: state === "failed" ? "error.main" : "text.secondary" }}>
        {state === "failed"
          ? t(`recipes.startErrors.${startErrorKey(code, me.role)}`)
          : t(`recipes.several.states.${state}`)}
      </Typography>
      {device && (
        <Link href={`/instance/${device.uuid}`} target="_blank" rel="noopener" variant="body2">
          {t("common.open")}
        </Link>
      )}
    </Box>
  );
}
