import { CssBaseline, ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import "../../../testing/all-sentences.ts";
import { queryClient } from "../../../session/client.ts";
import { theme } from "../../../theme/theme.ts";
import DisplayPage from "../DisplayPage.tsx";

/** What the app puts around every page. */
function Framed({ children }: { children: React.ReactNode }) {
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline />
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ThemeProvider>
  );
}

/** The page at an address, with a launchpad to go back to. */
export function at(address: string) {
  const router = createMemoryRouter(
    [
      { path: "/instance/:uuid", Component: DisplayPage },
      { path: "/instance/:uuid/stop", Component: DisplayPage },
      { path: "/instance/:uuid/save", Component: DisplayPage },
      { path: "/launchpad", element: <h1>Virtual devices</h1> },
    ],
    { initialEntries: [address] },
  );
  return {
    router,
    page: (
      <Framed>
        <RouterProvider router={router} />
      </Framed>
    ),
  };
}

/** An element at an address. */
export function framedAt(address: string, element: React.ReactNode) {
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [address] });
  return {
    router,
    page: (
      <Framed>
        <RouterProvider router={router} />
      </Framed>
    ),
  };
}

export const framed = (element: React.ReactNode) => framedAt("/", element).page;
