import { CssBaseline, ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router/dom";
import { theme } from "../theme/theme.ts";
import { queryClient } from "../session/client.ts";
import { router } from "./router.tsx";

export function App() {
  return (
    // The mode that before-app.js has set is known at once: another one after that has every style computed twice.
    <ThemeProvider theme={theme} defaultMode="system" disableTransitionOnChange noSsr>
      <CssBaseline />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
