import { routeRules } from "../session/routes.ts";
import { docPath, writtenPages } from "../features/docs/doc-pages.ts";
import { updates } from "../features/updates/updates.ts";

const { home, signIn, signUpConfirm, forgotPassword, legalTerms, legalPrivacy, status } = routeRules;

/** The pages whose HTML is made before anybody asks: those that visitors arrive at, and that look the same to all of them. */
export const prerenderedPaths: readonly string[] = [
  ...[home, signIn, signUpConfirm, forgotPassword, legalTerms, legalPrivacy, status].map(({ path }) => path),
  ...writtenPages.map(docPath),
  ...updates.map(({ id }) => `/update/${id}`),
];
