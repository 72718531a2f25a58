import { ThemeProvider } from "@mui/material";
import { createMemoryRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { describe, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import "../en/sentences.ts";
import { theme } from "../theme/theme.ts";
import { ErrorPage } from "./ErrorPage.tsx";

const at = (route: RouteObject) =>
  render(
    <ThemeProvider theme={theme}>
      <RouterProvider router={createMemoryRouter([{ path: "/", ...route }])} />
    </ThemeProvider>,
  );

const Broken = (): never => {
  throw new Error("broken on purpose");
};

describe("the error page", () => {
  it("offers to try a page again that broke", async () => {
    const screen = await at({ Component: Broken, ErrorBoundary: ErrorPage });
    await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("offers the start page alone at its own address, where nothing can be tried again", async () => {
    const screen = await at({ Component: ErrorPage });
    await expect.element(screen.getByRole("link", { name: "Go to the start page" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Try again" }).elements()).toEqual([]);
  });
});
