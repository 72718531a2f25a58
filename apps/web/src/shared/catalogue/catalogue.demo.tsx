import { Box } from "@mui/material";
import Play from "lucide-react/icons/play";
import Trash2 from "lucide-react/icons/trash-2";
import type { RowAction } from "../../components/list/list.ts";
import { DeviceDrawing } from "../DeviceDrawing.tsx";
import { CatalogueCard, PICTURE_ROOM } from "./CatalogueCard.tsx";
import { Origin } from "./Origin.tsx";
import { StatusMark } from "./StatusMark.tsx";

const profile = {
  form_factor: "PHONE",
  display_mode: "REGULAR",
  display_settings: { displays: [{ width: 1080, height: 2400, density: 420 }], hw_navigation_keys: false },
} as const;

interface Props {
  name?: string;
  reason?: string;
  isBusy?: boolean;
  chip?: React.ReactNode;
}

function Demo({ name = "Phone 6.1 in, Android 15", reason, ...more }: Props) {
  const actions: RowAction[] = [
    { id: "start", glyph: Play, label: `Start ${name}`, short: "Start", isMain: true, reason, run: () => undefined },
    { id: "delete", glyph: Trash2, label: `Delete ${name}`, short: "Delete", run: () => undefined },
  ];
  return (
    <Box component="ul" sx={{ m: 0, p: 0, width: 376, listStyle: "none" }}>
      <CatalogueCard
        name={name}
        picture={<DeviceDrawing profile={profile} within={PICTURE_ROOM} />}
        caption={<Origin item={{ is_official: true, owner: null }} me="me" />}
        description="The everyday phone. Start here."
        tags={["Android 15", "arm64", "1080 × 2400"]}
        facts="4 vCPU, 4 GB"
        actions={actions}
        open={() => undefined}
        {...more}
      />
    </Box>
  );
}

/** A card of a catalogue. */
export const demos = {
  ready: <Demo />,
  starting: <Demo isBusy />,
  saving: <Demo chip={<StatusMark status="UPDATING" />} reason="It is being saved." />,
  inError: <Demo chip={<StatusMark status="ERROR" />} reason="It is in error." />,
  longName: <Demo name={"A name that somebody let grow as long as it may be. ".repeat(4)} />,
};
