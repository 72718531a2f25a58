import { Box, Skeleton } from "@mui/material";
import { Delayed } from "../../components/Delayed.tsx";

/** Stands where recipes will. */
export const RecipesLoading = () => (
  <Delayed>
    {[1, 2, 3, 4, 5].map((row) => (
      <Box key={row} sx={{ display: "flex", alignItems: "center", gap: 3, height: 56, px: 3 }}>
        <Skeleton variant="rounded" animation={false} width={28} height={28} />
        <Skeleton animation={false} width={`${40 + row * 8}%`} />
      </Box>
    ))}
  </Delayed>
);
