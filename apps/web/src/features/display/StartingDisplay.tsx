import { Box, Typography } from "@mui/material";
import { displayedStates, type Instance } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { DeviceStage } from "./DeviceStage.tsx";

/** A device on its way: its frame, still dark, and in words how far it is. */
export function StartingDisplay({ instance: { state, hardware_profile: hardware } }: { instance: Instance }) {
  const { t } = useTranslation();
  const word = displayedStates[state];
  const phase = word === "booting" || word === "starting" ? word : "creating";
  return (
    <DeviceStage picture={hardware} formFactor={hardware.form_factor} sill={t("display.phase.help")}>
      <Box component="output" sx={words}>
        <Typography variant="h3" component="p">
          {t(`display.phase.${phase}`)}
        </Typography>
        <Box aria-hidden="true" sx={steps}>
          {(["creating", "starting", "booting"] as const).map((step, index, all) => (
            <i key={step} className={index <= all.indexOf(phase) ? "done" : ""} />
          ))}
        </Box>
      </Box>
    </DeviceStage>
  );
}

const words = {
  position: "absolute",
  inset: 0,
  display: "grid",
  placeContent: "center",
  justifyItems: "center",
  gap: "16px",
  padding: "16px",
  textAlign: "center",
  color: "#E7EEEA",
};

const steps = {
  display: "flex",
  gap: "6px",
  "& i": { width: 24, height: 3, borderRadius: 2, background: "#2D3834", transition: "background 180ms" },
  "& i.done": { background: "#69C89E" },
};
