import { Box, Typography } from "@mui/material";
import { Link, useSearchParams } from "react-router";

type Demos = Record<string, React.ReactNode>;
const files = import.meta.glob<{ demos: Demos }>("../**/*.demo.tsx", { eager: true });

/** Every state worth seeing, one at a time; in development only. */
export default function DemoPage() {
  const [search] = useSearchParams();
  const file = search.get("file") ?? "";
  const shown = files[file]?.demos[search.get("state") ?? ""];
  if (shown !== undefined) return <Box component="main">{shown}</Box>;
  return (
    <Box component="main" tabIndex={-1} sx={{ p: 6, display: "grid", gap: 4 }}>
      <Typography variant="h1">Demos</Typography>
      {Object.entries(files).map(([path, { demos }]) => (
        <section key={path}>
          <Typography variant="h3" component="h2">
            {path.replace("../", "")}
          </Typography>
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 3 }}>
            {Object.keys(demos).map((state) => (
              <Link key={state} to={`?${new URLSearchParams({ file: path, state }).toString()}`}>
                {state}
              </Link>
            ))}
          </Box>
        </section>
      ))}
    </Box>
  );
}
