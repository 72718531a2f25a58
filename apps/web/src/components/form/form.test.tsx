import { AppError } from "@terrarium/sdk";
import { Suspense, use } from "react";
import { hydrateRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { AppForm } from "./app-form.ts";
import { CheckboxField } from "./CheckboxField.tsx";
import { Form, SubmitButton } from "./Form.tsx";
import { PasswordField } from "./PasswordField.tsx";
import { SelectField } from "./SelectField.tsx";
import { TextField } from "./TextField.tsx";
import { useAppForm, useFormState } from "./use-form.ts";

interface Values {
  name: string;
  password: string;
  zone: string;
  agreed: boolean;
}
const initial: Values = { name: "", password: "", zone: "europe", agreed: false };

function Account({ send }: { send: (values: Values) => Promise<unknown> }) {
  const form = useAppForm({
    initial,
    rules: {
      name: [(name) => (name === "" ? { says: "required" } : undefined)],
      password: [
        (password) => (password.length < 8 ? { says: "minLength", min: 8 } : undefined),
        (password, { name }) => (password === name ? { says: "invisible" } : undefined),
      ],
      agreed: [(agreed) => (agreed ? undefined : { says: "required" })],
    },
    send,
    refusalOf: (code) =>
      code === "API_TOKEN_EXISTS" ? { field: "name", says: "This name is taken" } : `It failed (${code ?? "unknown"})`,
  });
  return (
    <Form
      form={form}
      submit={
        <SubmitButton form={form} busy="Creating">
          Create
        </SubmitButton>
      }
    >
      <TextField form={form} name="name" label="Name" max={10} help="Seen by all" />
      <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />
      <SelectField
        form={form}
        name="zone"
        label="Zone"
        choices={[
          { value: "europe", label: "Europe" },
          { value: "asia", label: "Asia" },
        ]}
      />
      <CheckboxField form={form} name="agreed" label="I agree" />
    </Form>
  );
}

async function open(send: (values: Values) => Promise<unknown> = async () => undefined) {
  const sent = vi.fn(send);
  const shown = await render(
    <InTestApp>
      <Account send={sent} />
    </InTestApp>,
  );
  const name = shown.getByLabelText("Name");
  const password = shown.getByLabelText("Password", { exact: true });
  const agreed = shown.getByLabelText("I agree");
  const create = shown.getByRole("button", { name: /^Creat/ });
  const fill = async () => {
    await name.fill("mara");
    await password.fill("terrarium1");
    await agreed.click();
  };
  return { shown, sent, name, password, agreed, create, fill };
}

it("sends what was typed and chosen", async () => {
  const { shown, sent, create, fill } = await open();
  await fill();
  await shown.getByRole("combobox", { name: "Zone" }).click();
  await shown.getByRole("option", { name: "Asia" }).click();
  await create.click();
  expect(sent.mock.calls).toEqual([[{ name: "mara", password: "terrarium1", zone: "asia", agreed: true }]]);
});

it("sends nothing while a rule is broken, says which at each field, and leads to the first", async () => {
  const { shown, sent, name, agreed, create } = await open();
  await create.click();
  await expect.element(shown.getByText("Use 8 characters or more")).toBeVisible();
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveAccessibleDescription("Required");
  await expect.element(name).toBeInvalid();
  await expect.element(agreed).toHaveAccessibleDescription("Required");
  expect(sent).not.toHaveBeenCalled();
});

it("checks a field when it is left and from then on at each key", async () => {
  const { shown, password } = await open();
  const wrong = shown.getByText("Use 8 characters or more");
  await password.fill("terra");
  await expect.element(wrong).not.toBeInTheDocument();
  await userEvent.keyboard("{Tab}");
  await expect.element(wrong).toBeVisible();
  await password.fill("terrarium");
  await expect.element(wrong).not.toBeInTheDocument();
  await password.fill("terra");
  await expect.element(wrong).toBeVisible();
});

it("hears what is pressed, though leaving a field moves it", async () => {
  const { shown, password } = await open();
  const heard = vi.fn<() => void>();
  const below = document.createElement("button");
  Object.assign(below, { textContent: "Elsewhere", onclick: heard });
  Object.assign(below.style, { display: "block", height: "16px", padding: "0" });
  shown.container.append(below);
  await password.click();
  await userEvent.click(below);
  expect(heard).toHaveBeenCalledTimes(1);
  await expect.element(password).toHaveAccessibleDescription("Use 8 characters or more");
});

it("holds a field against another where a rule says so", async () => {
  const { shown, name, password } = await open();
  await name.fill("terrarium1");
  await password.fill("terrarium1");
  await userEvent.keyboard("{Tab}");
  await expect.element(shown.getByText("Use characters that can be seen")).toBeVisible();
});

it.each([
  ["its code", new AppError("API_TOKEN_EXISTS"), "This name is taken"],
  ["its fields", new AppError("invalid_request", { fields: [{ field: "name", message: "Too short" }] }), "Too short"],
])(
  "puts what the service refuses on the field that %s names, and takes it back with the next key",
  async (_, error, says) => {
    const { shown, name, create, fill } = await open(async () => {
      throw error;
    });
    await fill();
    await create.click();
    await expect.element(name).toHaveFocus();
    await expect.element(name).toHaveAccessibleDescription(says);
    await expect.element(name).toHaveValue("mara");
    await name.fill("maria");
    await expect.element(shown.getByText(says)).not.toBeInTheDocument();
  },
);

it.each([
  [new AppError("TOO_MANY_REQUESTS"), "It failed (TOO_MANY_REQUESTS)"],
  [new AppError("invalid_request", { fields: [{ field: "other", message: "?" }] }), "It failed (invalid_request)"],
  [new TypeError("a mistake of ours"), "It failed (unknown)"],
])("says in place what concerns no field, keeps what was typed and can be sent again: %s", async (error, says) => {
  let isRefused = true;
  const { shown, sent, name, password, create, fill } = await open(async () => {
    if (isRefused) throw error;
  });
  await fill();
  await create.click();
  await expect.element(shown.getByRole("alert")).toHaveTextContent(says);
  await expect.element(name).toHaveValue("mara");
  await expect.element(password).toHaveValue("terrarium1");
  isRefused = false;
  await create.click();
  await expect.element(shown.getByRole("alert")).not.toBeInTheDocument();
  expect(sent).toHaveBeenCalledTimes(2);
});

it("says that it is under way, sends once and keeps the focus on its button", async () => {
  const answer = Promise.withResolvers<void>();
  const { sent, create, fill } = await open(() => answer.promise);
  await fill();
  await create.click();
  await expect.element(create).toHaveTextContent("Creating");
  await userEvent.keyboard("{Enter}");
  await expect.element(create).toHaveFocus();
  answer.resolve();
  await expect.element(create).toHaveTextContent("Create");
  expect(sent).toHaveBeenCalledTimes(1);
});

it("counts from the last fifth of the room on", async () => {
  const { shown, name } = await open();
  await name.fill("1234567");
  await expect.element(shown.getByText("/ 10")).not.toBeInTheDocument();
  await name.fill("12345678");
  await expect.element(shown.getByText("8 / 10")).toBeVisible();
});

it("shows a password when asked", async () => {
  const { shown, password } = await open();
  await expect.element(password).toHaveAttribute("type", "password");
  await shown.getByRole("button", { name: "Show password" }).click();
  await expect.element(password).toHaveAttribute("type", "text");
});

function Named({ name }: { name: string }) {
  const form = useAppForm({ initial: { name }, send: async () => undefined, refusalOf: () => "" });
  return (
    <Form form={form}>
      <TextField form={form} name="name" label="Name" />
    </Form>
  );
}

it("follows what it starts with until a field was changed", async () => {
  const screen = await render(<Named name="one" />, { wrapper: InTestApp });
  await screen.rerender(<Named name="two" />);
  await expect.element(screen.getByLabelText("Name")).toHaveValue("two");
  await screen.getByLabelText("Name").fill("mine");
  await screen.rerender(<Named name="three" />);
  await expect.element(screen.getByLabelText("Name")).toHaveValue("mine");
});

it("takes over what was typed, and leaves the focus where it is, when the page was there before its code", async () => {
  const sent = vi.fn(async () => undefined);
  const app = (
    <InTestApp>
      <Arrival send={sent} />
    </InTestApp>
  );
  const made = await render(app);
  const page = document.body.appendChild(document.createElement("div"));
  page.innerHTML = made.container.innerHTML;
  await made.unmount();
  const [name, password, terms] = [...page.querySelectorAll("input")] as [
    HTMLInputElement,
    HTMLInputElement,
    HTMLInputElement,
  ];
  name.value = "mara";
  password.value = "terrarium1";
  terms.click();
  password.focus();
  const root = hydrateRoot(page, app, { onRecoverableError: () => undefined });
  onTestFinished(() => {
    root.unmount();
    page.remove();
  });
  await vi.waitFor(() => expect(Object.keys(name).length).toBeGreaterThan(0));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(sent.mock.calls).toEqual([[{ name: "mara", password: "terrarium1", terms: true }]]));
  expect(document.activeElement).toBe(password);
});

it("takes a part over as it was made, when the form has changed before its code came", async () => {
  const code = Promise.withResolvers<undefined>();
  const form = new AppForm(
    "f",
    {
      initial: { name: "" },
      rules: { name: [() => ({ says: "required" })] },
      send: async () => 0,
      refusalOf: () => "",
    },
    () => "Required",
  );
  function Later() {
    use(code.promise);
    const error = useFormState(form, ({ errors }) => errors.get("name"));
    return error === undefined ? <i /> : <b>{error}</b>;
  }
  const page = document.body.appendChild(document.createElement("div"));
  page.innerHTML = "<!--$--><i></i><!--/$-->";
  const onRecoverableError = vi.fn();
  const app = (
    <Suspense>
      <Later />
    </Suspense>
  );
  const root = hydrateRoot(page, app, { onRecoverableError });
  onTestFinished(() => {
    root.unmount();
    page.remove();
  });
  form.submit();
  code.resolve(undefined);
  await vi.waitFor(() => expect(page.textContent).toBe("Required"));
  expect(onRecoverableError).not.toHaveBeenCalled();
});

it("never has a browser write what was typed into the address", async () => {
  const { shown } = await open();
  expect(shown.container.querySelector("form")?.method).toBe("post");
});

function Arrival({ send }: { send: () => Promise<unknown> }) {
  const form = useAppForm({ initial: { name: "", password: "", terms: false }, send, refusalOf: () => "" });
  return (
    <Form form={form} submit={<button type="submit">Send</button>} takesFocus>
      <TextField form={form} name="name" label="Name" />
      <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
      <CheckboxField form={form} name="terms" label="I accept the terms" />
    </Form>
  );
}
