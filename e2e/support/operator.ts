import type { Page } from "playwright";
import { codeAt, fromBase32, stepAt } from "../../apps/server/src/features/second-factor/totp.ts";
import type { TestServer } from "./server.ts";

/** Who runs the service in tests. */
export const ines = { email: "ines@terrarium.example", password: "a better horse 2" };

/** A new organization: who manages it, and has accepted the terms. */
export async function addManager(server: TestServer, organization: string) {
  const account = { email: `manager@${organization.toLowerCase()}.example`, password: ines.password };
  const words = ["users", "add", account.email, "--manager", "--organization", organization];
  await server.operateWith(account.password, ...words);
  const { client } = await server.signIn(account);
  await client.users.acceptTerms();
  return account;
}

/** Signs in with an account that the operator tool makes: by the link that it prints, and with an authenticator app. */
export async function signInAsOperator(page: Page, server: TestServer, email = ines.email): Promise<void> {
  const printed = await server.operate("operators", "add", email);
  const key = /\/password-reset\/new\/([\w-]{43})/.exec(printed)?.[1];
  await page.goto(`/password-reset/new/${key}`);
  await page.getByLabel("New password").fill(ines.password);
  await page.getByLabel("Confirm password").fill(ines.password);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(ines.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  const secret = fromBase32((await page.locator("code").textContent())?.replaceAll(" ", "") ?? "");
  await page.getByLabel("Code that the app shows").fill(codeAt(secret, stepAt(Date.now())));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/operator");
}
