import { expect, it } from "vitest";
import { OpenIdIssuer } from "./openid-issuer.ts";

it.each([
  "https://login.microsoftonline.com/common/v2.0",
  "https://login.microsoftonline.com/organizations/v2.0",
  "https://login.microsoftonline.com/consumers/v2.0/",
  "https://LOGIN.microsoftonline.com:443/Common",
  "https://login.microsoftonline.com/{tenantid}/v2.0",
  "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
])("%s is of everybody's tenant", (issuer) => {
  expect(OpenIdIssuer.safeParse(issuer).error?.issues[0]?.message).toBe(
    "Accounts of every tenant could sign in: name the issuer of one tenant, https://login.microsoftonline.com/TENANT_ID/v2.0",
  );
});

it.each([
  "https://login.microsoftonline.com/7b3c1e0a-52a4-4f7d-9f06-2c1d5d0c8a11/v2.0",
  "https://login.microsoftonline.com/common.example/v2.0",
  "https://login.example/common",
  "http://127.0.0.1:8080",
])("%s is of one", (issuer) => {
  expect(OpenIdIssuer.parse(issuer)).toBe(issuer);
});
