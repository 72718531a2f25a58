import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";

interface Props {
  children: React.ReactNode;
}

const Drawing = ({ children }: Props) => (
  <Box
    component="svg"
    aria-hidden="true"
    width={148}
    height={136}
    viewBox="0 -8 148 136"
    fill="none"
    strokeWidth={2}
    strokeLinecap="round"
    sx={(theme: Theme) => ({ color: theme.vars.palette.text.tertiary, maxWidth: "100%" })}
  >
    <path d="M14 118h120" stroke="currentColor" />
    {children}
  </Box>
);

const glass = (
  <>
    <path d="M34 116V58a40 40 0 0 1 80 0v58" stroke="currentColor" />
    <path d="M46 62a28 28 0 0 1 16-24" stroke="currentColor" opacity=".5" />
    <circle cx="74" cy="12" r="5" stroke="currentColor" />
  </>
);

/** A cloche over a first sprout: there is nothing here yet. */
export function EmptyArch() {
  return (
    <Drawing>
      {glass}
      <path d="M56 117c4-8 32-8 36 0" stroke="currentColor" />
      <path d="M74 110v-7" stroke="var(--mui-palette-primary-main)" strokeWidth={2.5} />
      <path d="M74 103c-6 0-9-3-9-9 6 0 9 3 9 9Z" fill="var(--mui-palette-primary-main)" />
    </Drawing>
  );
}

/** A cloche that has tipped: something went wrong. */
export function TiltedCloche() {
  return (
    <Drawing>
      <g transform="rotate(-12 34 116)">{glass}</g>
      <path d="M52 117c4-8 32-8 36 0" stroke="currentColor" />
      <path d="M70 110c0-10 2-14 9-15" stroke="var(--mui-palette-error-main)" strokeWidth={2.5} />
      <path d="M79 94c6-1 10 2 10.500 8-6 1-10-2-10.500-8Z" fill="var(--mui-palette-error-main)" />
    </Drawing>
  );
}
