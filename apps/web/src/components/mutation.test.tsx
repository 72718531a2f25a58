import { onlineManager, useMutation } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { render } from "vitest-browser-react";
import { InTestApp, testCache } from "../testing/InTestApp.tsx";
import { mutation } from "./mutation.ts";
import { closeSnack, readSnacks } from "./snack-queue.ts";

const said = () => readSnacks().map(({ type, message }) => `${type}: ${message}`);

beforeEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});

/** A button that does it to "pears". */
async function open(mutationFn: (input: string) => Promise<string>) {
  const eat = mutation({
    mutationKey: ["eat"],
    mutationFn,
    invalidates: (refusal) => [[refusal ? "refused" : "done"]],
    announces: (_, output, input) => `${input} ${output}`,
    says: (_, output) => output,
    offers: (_, output) => ({ label: "Look", to: `/${output}` }),
    refuses: (_, error) => (error.message === "silent" ? undefined : error.message),
  });
  const client = testCache();
  const invalidated = vi.spyOn(client, "invalidateQueries");
  const Eat = () => {
    const { mutate } = useMutation(eat);
    return <button onClick={() => mutate("pears")}>Eat</button>;
  };
  const screen = await render(
    <InTestApp client={client}>
      <Eat />
    </InTestApp>,
  );
  return {
    screen,
    press: () => screen.getByRole("button", { name: "Eat" }).click(),
    invalidated: () => invalidated.mock.calls.map(([filters]) => filters?.queryKey),
  };
}

describe("a mutation", () => {
  it("says what came of it, aloud and in a line, and what is no longer true", async () => {
    const { screen, press, invalidated } = await open(async () => "eaten");
    await press();
    await vi.waitFor(() => expect(said()).toEqual(["success: eaten"]));
    expect(readSnacks()[0]?.action).toEqual({ label: "Look", to: "/eaten" });
    await expect.element(screen.getByRole("status")).toHaveTextContent("pears eaten");
    expect(invalidated()).toEqual([["done"]]);
  });

  it("is tried at once, and says that it failed, in a browser that is offline", async () => {
    onlineManager.setOnline(false);
    onTestFinished(() => onlineManager.setOnline(true));
    const { press } = await open(() => Promise.reject(new Error("no service")));
    await press();
    await vi.waitFor(() => expect(said()).toEqual(["error: no service"]));
  });

  it("says why it was refused until it is tried again", async () => {
    let answer = () => Promise.reject<string>(new Error("no pears"));
    const { press, invalidated } = await open(() => answer());
    await press();
    await vi.waitFor(() => expect(said()).toEqual(["error: no pears"]));
    expect(invalidated()).toEqual([["refused"]]);
    answer = () => Promise.reject(new Error("silent"));
    await press();
    await vi.waitFor(() => expect(invalidated().length).toBe(2));
    expect(said()).toEqual([]);
  });
});
