import "../../en/hardware-profiles.ts";
import { Box, Skeleton } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { HardwareProfile } from "@terrarium/contract";
import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { snack } from "../../components/snack-queue.ts";
import { hardwareProfile } from "./hardware-profiles.queries.ts";

const ProfileForm = lazy(() => fetchCode(() => import("./ProfileForm.tsx")));

interface Props {
  what: "create" | "edit" | "duplicate";
  /** What is changed or copied, as the list knows it. */
  profile?: HardwareProfile;
  onClose: () => void;
}

/** The editor in its dialog. The dialog is there at once; its code, and the profile as it is now, arrive in it. */
export function ProfileDialog({ what, profile, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...hardwareProfile(profile?.uuid ?? ""),
    enabled: what !== "create",
    gcTime: 0,
  });
  const giveUp = useEffectEvent(() => {
    snack("error", t("errors.fetchHardwareProfile"));
    onClose();
  });
  useEffect(() => {
    if (error && !data) giveUp();
  }, [error, data]);
  const name = profile?.name ?? "";
  return (
    <AppDialog
      isLarge
      title={t(`hardwareProfiles.form.${what}Title`, { name })}
      onClose={onClose}
      width={1000}
      height={760}
    >
      <Suspense fallback={<Loading />}>
        {what === "create" && <ProfileForm task={{ what }} onClose={onClose} />}
        {what !== "create" && data && (
          <ProfileForm
            task={{ what, profile: data }}
            lookAgain={async () => (await refetch()).data}
            onClose={onClose}
          />
        )}
        {what !== "create" && !data && <Loading />}
      </Suspense>
    </AppDialog>
  );
}

const Loading = () => (
  <Box aria-busy="true" sx={{ flex: 1, px: 6, py: 5, borderTop: 1, borderColor: "divider" }}>
    <Delayed>
      {[1, 2, 3, 4].map((one) => (
        <Skeleton key={one} variant="rounded" animation={false} height={36} sx={{ mb: 5, maxWidth: 560 }} />
      ))}
    </Delayed>
  </Box>
);
