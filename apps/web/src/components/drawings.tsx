import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";

/** One hairline arch with its sill: drawn behind nothing, it says that there is nothing yet. */
export function EmptyArch({ size = 96 }: { size?: number }) {
  return (
    <Box component="svg" aria-hidden="true" width={size} height={size} viewBox="0 0 96 96" fill="none" sx={hairline}>
      <path d="M20 84V42a28 28 0 0 1 56 0v42" stroke="currentColor" strokeWidth="1.5" />
      <path d="M10 84h76" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M48 84v-9" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      <path
        d="M48 77c-6 0-9-3-9-9 6 0 9 3 9 9Zm0-3c0-5.500 2.700-8.500 8.500-8.500 0 5.800-2.700 8.500-8.500 8.500Z"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </Box>
  );
}

/** A cloche that has tipped: something went wrong. */
export function TiltedCloche({ size = 96 }: { size?: number }) {
  return (
    <Box component="svg" aria-hidden="true" width={size} height={size} viewBox="0 0 96 96" fill="none" sx={hairline}>
      <g transform="rotate(-14 24 84)">
        <path d="M24 82V44a26 26 0 0 1 52 0v38Z" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
      </g>
      <path d="M10 85h76" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </Box>
  );
}

const hairline = (theme: Theme) => ({ color: theme.vars?.palette.primary.main, opacity: 0.75 });
