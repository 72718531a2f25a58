import { Box, Skeleton } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { caseGrid } from "../../shared/GlassCase.tsx";
import { openedDevice } from "../../shared/opened-device.ts";
import type { DeviceListContext } from "./device-list.tsx";
import { WallPlace } from "./WallPlace.tsx";

interface Props {
  /** Undefined while they load. */
  devices: readonly Instance[] | undefined;
  context: DeviceListContext;
  /** Which came lately. */
  fresh: ReadonlySet<string>;
}

/** Devices side by side, each with what it shows now. */
export function DeviceWall({ devices, context, fresh }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(openedDevice.read);
  if (!devices) return <Loading />;
  const open = (uuid: string) => {
    openedDevice.write(uuid);
    setOpened(uuid);
  };
  return (
    <Box component="ul" aria-label={t("launchpad.table")} sx={wall}>
      {devices.map((device) => (
        <WallPlace
          key={device.uuid}
          device={device}
          context={context}
          isFresh={fresh.has(device.uuid)}
          isOpened={device.uuid === opened}
          onOpen={() => open(device.uuid)}
        />
      ))}
    </Box>
  );
}

const Loading = () => (
  <Delayed>
    <Box aria-busy="true" sx={wall}>
      {[1, 2, 3, 4, 5, 6].map((one) => (
        <Skeleton
          key={one}
          variant="rounded"
          animation={false}
          sx={{ height: { xs: 284, sm: 372 }, borderRadius: "10px" }}
        />
      ))}
    </Box>
  </Delayed>
);

const wall = {
  ...caseGrid,
  gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", sm: "repeat(auto-fill, minmax(232px, 1fr))" },
} as const;
