import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { describe, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import "./i18n.ts";
import { ErrorPage } from "./ErrorPage.tsx";

const Broken = (): never => {
  throw new Error("broken on purpose");
};

describe("the error page", () => {
  it("offers to try a page again that broke", async () => {
    const routes = [{ path: "/", Component: Broken, ErrorBoundary: ErrorPage }];
    const screen = await render(<RouterProvider router={createMemoryRouter(routes)} />);
    await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("offers the start page alone at its own address, where nothing can be tried again", async () => {
    const routes = [{ path: "/", Component: ErrorPage }];
    const screen = await render(<RouterProvider router={createMemoryRouter(routes)} />);
    await expect.element(screen.getByRole("link", { name: "Go to the start page" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Try again" }).elements()).toEqual([]);
  });
});
