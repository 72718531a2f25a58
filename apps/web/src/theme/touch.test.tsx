import { Button, Switch } from "@mui/material";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { pressedAround } from "../testing/pressed-around.ts";

beforeEach(() => page.viewport(390, 844));

it("a button with only a picture is as large as a finger on a phone", async () => {
  const screen = await render(<Button>+</Button>, { wrapper: InTestApp });
  const { width, height } = screen.getByRole("button").element().getBoundingClientRect();
  expect([width, height]).toEqual([44, 44]);
});

it("a switch takes a finger that comes down beside it on a phone", async () => {
  const screen = await render(<Switch size="small" sx={{ m: 10 }} />, { wrapper: InTestApp });
  const input = screen.getByRole("switch").element();
  expect(pressedAround(input)).toEqual([input, input]);
});
