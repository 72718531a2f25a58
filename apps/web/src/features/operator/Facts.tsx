import { Box, Paper, Typography } from "@mui/material";
import { FactList } from "../../components/FactList.tsx";

interface Props {
  title: string;
  /** Beside the title. */
  mark?: React.ReactNode;
  facts: readonly (readonly [string, React.ReactNode])[];
  children?: React.ReactNode;
}

/** What is known about one part of the service. */
export function Facts({ title, mark, facts, children }: Props) {
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-label={title}
      sx={{ p: { xs: 4, sm: 5 }, borderRadius: "10px", minWidth: 0 }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 2, mb: 3 }}>
        <Typography variant="h3" component="h3" sx={{ flex: 1, overflowWrap: "anywhere" }}>
          {title}
        </Typography>
        {mark}
      </Box>
      <FactList>
        {facts.map(([what, value]) => (
          <Box key={what} sx={{ display: "contents" }}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </Box>
        ))}
      </FactList>
      {children}
    </Paper>
  );
}

/** Side by side where there is room. */
export const FactGrid = ({ children }: { children: React.ReactNode }) => (
  <Box
    sx={{
      display: "grid",
      gap: 4,
      gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(auto-fill, minmax(300px, 1fr))" },
      alignItems: "start",
    }}
  >
    {children}
  </Box>
);
