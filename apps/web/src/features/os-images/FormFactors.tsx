import { Box } from "@mui/material";
import type { OsImage } from "@terrarium/contract";
import { formFactorOf, shapeGlyphs, shapes } from "../../shared/FormFactorTile.tsx";

/** The kinds of device that an image runs on, drawn; their names stand beside it. */
export function FormFactors({ image, size = 32 }: { image: OsImage; size?: number }) {
  const runsOn = shapes.filter((shape) => image.form_factors.some((factor) => factor === formFactorOf(shape)));
  return (
    <Box
      aria-hidden="true"
      sx={{ display: "flex", flexWrap: "wrap", justifyContent: "center", gap: 2, color: "text.secondary" }}
    >
      {runsOn.map((shape) => {
        const Glyph = shapeGlyphs[shape];
        return <Glyph key={shape} size={size} strokeWidth={1.25} />;
      })}
    </Box>
  );
}
