import { CssBaseline, ThemeProvider } from "@mui/material";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { MemoryRouter } from "react-router";
import { createMutationCache } from "../components/mutation.ts";
import "./all-sentences.ts";
import { theme } from "../theme/theme.ts";

interface Props {
  children: React.ReactNode;
  client?: QueryClient;
  /** Where it starts. */
  address?: string;
  /** False if the children bring a router of their own. */
  isRouted?: boolean;
}

/** A query cache that asks once and says what mutations say. */
export const testCache = () =>
  new QueryClient({ defaultOptions: { queries: { retry: false } }, mutationCache: createMutationCache() });

/** What every component may count on: theme, words, a query cache and an address. */
export function InTestApp({ children, client, address = "/", isRouted = true }: Props) {
  const [ownClient] = useState(() => client ?? testCache());
  return (
    <ThemeProvider theme={theme} defaultMode="light">
      <CssBaseline />
      <QueryClientProvider client={ownClient}>
        {isRouted ? <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter> : children}
      </QueryClientProvider>
    </ThemeProvider>
  );
}
