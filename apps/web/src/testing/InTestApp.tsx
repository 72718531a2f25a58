import { CssBaseline, ThemeProvider } from "@mui/material";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { MemoryRouter } from "react-router";
import "./all-sentences.ts";
import { theme } from "../theme/theme.ts";

interface Props {
  children: React.ReactNode;
  client?: QueryClient;
}

/** What every component may count on: theme, words, a query cache and an address. */
export function InTestApp({ children, client }: Props) {
  const [ownClient] = useState(() => client ?? new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  return (
    <ThemeProvider theme={theme} defaultMode="light">
      <CssBaseline />
      <QueryClientProvider client={ownClient}>
        <MemoryRouter>{children}</MemoryRouter>
      </QueryClientProvider>
    </ThemeProvider>
  );
}
