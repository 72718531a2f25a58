import "../../en/apps.ts";
import "../../en/recipes.ts";
import { Alert, Box, Button, ButtonBase, DialogActions, DialogContent, Skeleton, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { activeStates, type InstalledApp, type Instance, type Organization } from "@terrarium/contract";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { useIsHere } from "../../components/use-is-here.ts";
import type { Me } from "../../session/user.ts";
import { pickApp, whyNoApp } from "../../shared/apps/app-file.ts";
import { InstallOn } from "../../shared/apps/InstallOn.tsx";
import { type DeviceShape, FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { InstanceState } from "../../shared/InstanceState.tsx";
import { instanceList } from "../../shared/instances.queries.ts";
import { recentRecipes, rememberRecipe } from "./recent-recipes.ts";
import { recipeShelf, sayStarted, startAndShow } from "./recipes.queries.ts";
import { useOnePress } from "./use-one-press.tsx";

interface Props {
  files: readonly File[];
  me: Me;
  /** Not there for guests, and while it loads. */
  organization: Organization | undefined;
  /** The device to install on; without one, it is chosen. */
  on?: Instance | undefined;
  onClose: () => void;
  onInstalled: (device: Instance, app: InstalledApp) => void;
}

/** Puts an APK on a device: one that runs, or one that is started for it. */
export default function InstallDialog({ files: given, me, organization, on, onClose, onInstalled }: Props) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState({ insteadOf: given, files: given });
  // What is dropped later counts for more than what was picked before.
  const files = picked.insteadOf === given ? picked.files : given;
  const [device, setDevice] = useState(on);
  const [isStarted, setStarted] = useState(false);
  const isHere = useIsHere();
  const fault = useFault(files);
  const [file] = files;
  const another = () => pickApp((others) => setPicked({ insteadOf: given, files: others }));
  return (
    <AppDialog
      isLarge
      title={file && files.length === 1 ? t("apps.title", { file: file.name }) : t("apps.noTitle")}
      onClose={onClose}
      width={560}
    >
      {fault === "unknown" || !file ? (
        <DialogContent aria-busy="true" sx={{ minHeight: 120 }} />
      ) : fault ? (
        <Refused why={t(`apps.file.${fault}`)} onAnother={another} />
      ) : device ? (
        <InstallOn
          key={device.uuid}
          device={device}
          file={file}
          onClose={onClose}
          onInstalled={(app) => onInstalled(device, app)}
          onOtherFile={another}
          // What was started for this is the device for the next try as well.
          onOtherDevice={on || isStarted ? undefined : () => setDevice(undefined)}
        />
      ) : (
        <Choice
          me={me}
          organization={organization}
          onChoose={setDevice}
          onStarted={(started) => {
            if (!isHere.current) {
              sayStarted(t, started);
              return;
            }
            setStarted(true);
            setDevice(started);
          }}
        />
      )}
    </AppDialog>
  );
}

/** What is wrong with the files; unknown until they were looked at. */
function useFault(files: readonly File[]) {
  const [seen, setSeen] = useState<{ files: readonly File[]; fault: Awaited<ReturnType<typeof whyNoApp>> }>();
  useEffect(() => {
    let isOld = false;
    void whyNoApp(files).then((fault) => isOld || setSeen({ files, fault }));
    return () => void (isOld = true);
  }, [files]);
  return seen?.files === files ? seen.fault : "unknown";
}

function Refused({ why, onAnother }: { why: string; onAnother: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <DialogContent>
        <Alert severity="error">{why}</Alert>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" ref={focusWhenShown} onClick={onAnother}>
          {t("apps.another")}
        </Button>
      </DialogActions>
    </>
  );
}

interface ChoiceProps extends Pick<Props, "me" | "organization"> {
  onChoose: (device: Instance) => void;
  onStarted: (device: Instance) => void;
}

/** As many as somebody would look through. */
const SHOWN = 25;

/** Devices of one's own that run, and recipes that one can be started from, those of late first. */
function Choice({ me, organization, onChoose, onStarted }: ChoiceProps) {
  const { t } = useTranslation();
  const [recent] = useState(recentRecipes.read);
  const devices = useQuery(
    instanceList({
      state: [...activeStates],
      ordering: "-updated_at",
      page_size: SHOWN,
    }),
  );
  const recipes = useQuery({
    ...recipeShelf(recent, organization?.os_images_supported_arch),
    enabled: organization !== undefined || me.organization === null,
  });
  const { press, isStarting, failure } = useOnePress({
    me,
    organization,
    value: startAndShow,
    onStarted: (device, recipe) => {
      rememberRecipe(recipe.uuid);
      onStarted(device);
    },
  });
  if (devices.error && !devices.data)
    return (
      <DialogContent>
        <ErrorState
          {...t("apps.failed", { returnObjects: true })}
          error={devices.error}
          onRetry={() => void devices.refetch()}
        />
      </DialogContent>
    );
  const running = devices.data?.results;
  const hasNothing = running?.length === 0 && recipes.data?.length === 0;
  return (
    <DialogContent>
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {t(hasNothing ? "apps.none" : "apps.lead")}
      </Typography>
      {failure}
      {!running && (
        <Skeleton variant="rounded" animation={false} height={52} component="output" aria-label={t("apps.loading")} />
      )}
      {running && running.length > 0 && (
        <Places label={t("apps.running")}>
          {running.map((device) => (
            <Place
              key={device.uuid}
              shape={shapeOf(device.hardware_profile)}
              name={device.name}
              detail={device.recipe?.name ?? "–"}
              mark={<InstanceState state={device.state} />}
              onChoose={() => onChoose(device)}
            />
          ))}
        </Places>
      )}
      {recipes.data && recipes.data.length > 0 && (
        <Places label={t(running && running.length > 0 ? "apps.start" : "apps.startOne")}>
          {recipes.data.map((recipe) => (
            <Place
              key={recipe.uuid}
              shape={shapeOf(recipe.hardware_profile)}
              name={recipe.name}
              detail={isStarting(recipe) ? t("recipes.start.busy") : t("apps.startHelp")}
              onChoose={() => press(recipe)}
            />
          ))}
        </Places>
      )}
    </DialogContent>
  );
}

function Places({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Box component="section" aria-label={label} sx={{ mb: 4 }}>
      <Typography variant="label" component="h3" sx={{ mb: 2 }}>
        {label}
      </Typography>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 2 }}>
        {children}
      </Box>
    </Box>
  );
}

interface PlaceProps {
  shape: DeviceShape;
  name: string;
  detail: string;
  mark?: React.ReactNode;
  onChoose: () => void;
}

function Place({ shape, name, detail, mark, onChoose }: PlaceProps) {
  return (
    <li>
      <ButtonBase onClick={onChoose} sx={place}>
        <FormFactorTile shape={shape} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography noWrap title={name} sx={{ fontWeight: 550 }}>
            {name}
          </Typography>
          <Typography variant="caption" noWrap component="div" sx={{ color: "text.tertiary" }} aria-live="polite">
            {detail}
          </Typography>
        </Box>
        {mark}
      </ButtonBase>
    </li>
  );
}

const place = (theme: Theme) => ({
  display: "flex",
  alignItems: "center",
  gap: 3,
  width: "100%",
  minHeight: 52,
  px: 3,
  textAlign: "left",
  borderRadius: "10px",
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}`,
  "&:hover": { boxShadow: `inset 0 0 0 1px ${theme.vars.palette.primary.main}` },
  "@media (forced-colors: active)": { border: "1px solid" },
});
