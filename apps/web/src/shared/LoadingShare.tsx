import { Box, Skeleton } from "@mui/material";
import { Delayed } from "../components/Delayed.tsx";

/** In a dialog that shares something, while it is read with whom it is shared. */
export const LoadingShare = () => (
  <Box aria-busy="true" sx={{ minHeight: 280, px: 6, py: 2 }}>
    <Delayed>
      <Skeleton variant="rounded" animation={false} height={72} sx={{ mb: 5 }} />
      <Skeleton variant="rounded" animation={false} height={88} />
    </Delayed>
  </Box>
);
