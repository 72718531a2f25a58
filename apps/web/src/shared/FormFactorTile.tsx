import "../en/devices.ts";
import { Box } from "@mui/material";
import Car from "lucide-react/icons/car";
import Tv from "lucide-react/icons/tv";
import Watch from "lucide-react/icons/watch";
import { useTranslation } from "react-i18next";
import { visuallyHidden } from "../components/hidden.ts";
import { Foldable, Phone, Tablet } from "./glyphs.tsx";
import { type Glyph, Icon } from "../components/Icon.tsx";

export type DeviceShape = "phone" | "tablet" | "foldable" | "car" | "tv" | "watch";

/** The picture of each shape of device, in the order they are offered. */
export const shapeGlyphs = {
  phone: Phone,
  tablet: Tablet,
  foldable: Foldable,
  watch: Watch,
  car: Car,
  tv: Tv,
} as const satisfies Record<DeviceShape, Glyph>;

/** The shape of a device in front of its name, and its word for those who do not see it. */
export function FormFactorTile({ shape }: { shape: DeviceShape }) {
  const { t } = useTranslation();
  return (
    <Box
      component="span"
      sx={(theme) => ({
        width: 28,
        height: 28,
        flex: "none",
        display: "grid",
        placeItems: "center",
        borderRadius: "6px",
        background: theme.vars.palette.background.sunken,
        color: theme.vars.palette.text.secondary,
        "[data-theme=dark] &": { background: "#1B2521" },
      })}
    >
      <Icon glyph={shapeGlyphs[shape]} />
      <span style={visuallyHidden}>{t(`launchpad.shapes.${shape}`)}</span>
    </Box>
  );
}

export const shapes = Object.keys(shapeGlyphs) as DeviceShape[];

/** What the service calls a shape when it is asked for recipes. */
export const formFactorOf = (shape: DeviceShape) => shape.toUpperCase() as Uppercase<DeviceShape>;

/** A profile's form factor as a shape: what folds is a phone to the service, and a shape of its own to the eye. */
export const shapeOf = (profile: { form_factor: string; display_mode: string }): DeviceShape =>
  profile.display_mode === "FOLDABLE"
    ? "foldable"
    : (shapes.find((shape) => formFactorOf(shape) === profile.form_factor) ?? "phone");
