import { Box, Skeleton } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { RowMenu } from "../../components/list/RowMenu.tsx";
import type { ListState } from "../../components/list/use-list.ts";
import { useSelection } from "../../components/list/use-selection.ts";
import { caseGrid } from "../../shared/GlassCase.tsx";
import { openedDevice } from "../../shared/opened-device.ts";
import type { DeviceListContext } from "./device-list.tsx";
import { useWallKeys } from "./use-wall-keys.ts";
import { WallPlace } from "./WallPlace.tsx";

/** Devices side by side, each with what it shows now; they can be selected and opened, by pointer and by keys. */
export function DeviceWall({ state }: { state: ListState<Instance, DeviceListContext> }) {
  const { list, context, rows: devices, selected } = state;
  const { t } = useTranslation();
  const [opened, setOpened] = useState(openedDevice.read);
  const [menu, setMenu] = useState<{ device: Instance; anchor: HTMLElement }>();
  const wallRef = useRef<HTMLUListElement>(null);
  const select = useSelection(state);
  const keys = useWallKeys(wallRef, {
    onSelect: select,
    onMenu: (id, anchor) => {
      const device = devices?.find(({ uuid }) => uuid === id);
      if (device) setMenu({ device, anchor });
    },
  });
  if (!devices) return <Loading />;
  const open = (uuid: string) => {
    openedDevice.write(uuid);
    setOpened(uuid);
  };
  return (
    <Box component="ul" ref={wallRef} {...keys} aria-label={t("launchpad.table")} sx={wall}>
      {devices.map((device) => (
        <WallPlace
          key={device.uuid}
          device={device}
          context={context}
          isFresh={state.fresh.has(device.uuid)}
          isOpened={device.uuid === opened}
          onOpen={() => open(device.uuid)}
          isSelected={selected.has(device.uuid)}
          onSelect={(event) => select(device.uuid, event)}
        />
      ))}
      {menu && (
        <RowMenu
          label={t("common.table.more", { name: menu.device.name })}
          actions={list.actions?.(menu.device, context) ?? []}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
        />
      )}
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
