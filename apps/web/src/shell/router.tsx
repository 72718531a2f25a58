import { createBrowserRouter, createMemoryRouter, redirect, type RouteObject } from "react-router";
import { session } from "../session/client.ts";
import { enterHome } from "./enter-home.ts";
import { fetchCode } from "../components/fetch-code.ts";
import { sections } from "../features/administration/sections.ts";
import SignInPage from "../features/sign-in/SignInPage.tsx";
import { guard } from "../session/guards.ts";
import { ErrorPage } from "./ErrorPage.tsx";
import { type PageTitle, Root } from "./Root.tsx";
import { type RouteRules, routeRules, type ScreenName } from "../session/routes.ts";
import { roleOf } from "../session/session.ts";
import { unopenedInvitation } from "../session/unopened-invitation.ts";
import { SignedIn } from "./SignedIn.tsx";

/** A screen with its guard; its code comes when it is first opened. `onEnter` runs once for each visit that the guard lets in. */
function screen(
  name: ScreenName,
  title: PageTitle,
  lazy: () => Promise<{ default: React.ComponentType }>,
  onEnter?: () => void,
): RouteObject {
  return {
    path: routeRules[name].path,
    handle: { title },
    loader: ({ request }) => {
      const elsewhere = checkGuard(routeRules[name], new URL(request.url));
      if (!elsewhere) onEnter?.();
      return elsewhere;
    },
    lazy: async () => ({ Component: (await fetchCode(lazy)).default }),
  };
}

function checkGuard(rules: RouteRules, { pathname, search }: URL): Response | null {
  const signedIn = session.current;
  const visitor = signedIn && { role: roleOf(signedIn.user), hasAcceptedTerms: signedIn.user.tnc_accepted };
  // A request has no fragment; the address bar has the one of a link that was just opened.
  const hash = location.pathname + location.search === pathname + search ? location.hash : "";
  const elsewhere = guard(rules, visitor, pathname + search + hash);
  // The launchpad says why the invitation did not open.
  if (rules.path === routeRules.join.path && elsewhere !== undefined) unopenedInvitation.note(pathname + search);
  return elsewhere === undefined ? null : redirect(elsewhere);
}

const coming = Object.values<RouteRules>(routeRules)
  .filter((rules) => rules.isComing)
  .map((rules): RouteObject => ({
    path: rules.path,
    loader: ({ request }) => checkGuard(rules, new URL(request.url)),
  }));

const home = () => import("../features/home/HomePage.tsx");

const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: ErrorPage,
    // The mark that index.html shows stays until the first page is there.
    HydrateFallback: () => <div className="arriving" />,
    children: [
      screen("home", "home", home, enterHome),
      screen("homeAlias", "home", home, enterHome),
      { path: "/signup", loader: ({ request }) => redirect(`/${new URL(request.url).search}`) },
      // Not lazy: on the way in everybody needs it, and what it shares with the home page is smaller in one file.
      screen("signIn", "signIn", async () => ({ default: SignInPage })),
      screen("signUpConfirm", "signUpConfirm", () => import("../features/sign-up/SignUpConfirmPage.tsx")),
      screen("ssoCallback", "signIn", () => import("../features/sso/SsoCallbackPage.tsx")),
      screen("join", "join", () => import("../features/invitations/JoinPage.tsx")),
      screen("forgotPassword", "forgotPassword", () => import("../features/passwords/ForgotPasswordPage.tsx")),
      screen("newPassword", "newPassword", () => import("../features/passwords/NewPasswordPage.tsx")),
      screen("mailbox", "mailbox", () => import("../features/mailbox/MailboxPage.tsx")),
      screen("mail", "mailbox", () => import("../features/mailbox/MailboxPage.tsx")),
      screen("replay", "replay", () => import("../features/replays/ReplayPage.tsx")),
      screen("legalTerms", "terms", () => import("../features/legal/LegalTermsPage.tsx")),
      screen("legalPrivacy", "privacy", () => import("../features/legal/PrivacyPage.tsx")),
      screen("update", "update", () => import("../features/updates/UpdatePage.tsx")),
      screen("oops", "oops", async () => ({ default: ErrorPage })),
      screen("components", "home", home),
      screen("directives", "home", home),
      {
        Component: SignedIn,
        children: [
          {
            lazy: async () => ({ Component: (await fetchCode(() => import("./Shell.tsx"))).Shell }),
            children: [
              screen("launchpad", "launchpad", () => import("../features/instances/LaunchpadPage.tsx")),
              screen("liveSessions", "liveSessions", () => import("../features/live-sessions/LiveSessionsPage.tsx")),
              screen("captures", "captures", () => import("../features/captures/CapturesPage.tsx")),
              screen("recipes", "recipes", () => import("../features/recipes/RecipesPage.tsx")),
              screen(
                "hardwareProfiles",
                "hardwareProfiles",
                () => import("../features/hardware-profiles/HardwareProfilesPage.tsx"),
              ),
              screen("images", "images", () => import("../features/os-images/OsImagesPage.tsx")),
              screen("api", "api", () => import("../features/api-tokens/ApiTokensPage.tsx")),
              screen("profile", "profile", () => import("../features/profile/ProfilePage.tsx")),
              // What is no section leads to the first one, too.
              ...["", "/*"].map((below) => ({
                path: routeRules.administration.path + below,
                loader: ({ request }: { request: Request }) =>
                  checkGuard(routeRules.administration, new URL(request.url)) ?? redirect(routeRules[sections[0]].path),
              })),
              // Where plans were once.
              {
                path: `${routeRules.administration.path}/organization`,
                loader: ({ request }) =>
                  checkGuard(routeRules.billing, new URL(request.url)) ?? redirect(routeRules.billing.path),
              },
              screen("dashboard", "dashboard", () => import("../features/dashboard/DashboardPage.tsx")),
              screen("users", "users", () => import("../features/users/UsersPage.tsx")),
              screen("groups", "groups", () => import("../features/groups/GroupsPage.tsx")),
              screen("billing", "billing", () => import("../features/billing/BillingPage.tsx")),
              screen("settings", "settings", () => import("../features/organization/SettingsPage.tsx")),
              screen("audit", "audit", () => import("../features/audit/AuditPage.tsx")),
              screen("operator", "operator", () => import("../features/operator/OverviewPage.tsx")),
              screen(
                "operatedOrganizations",
                "operatedOrganizations",
                () => import("../features/operator/OrganizationsPage.tsx"),
              ),
              screen(
                "operatedOrganization",
                "operatedOrganization",
                () => import("../features/operator/OrganizationPage.tsx"),
              ),
              screen(
                "operatedOrganizationBilling",
                "operatedOrganizationBilling",
                () => import("../features/operator/OrganizationBillingPage.tsx"),
              ),
              screen("operatedBilling", "operatedBilling", () => import("../features/operator/BillingRunPage.tsx")),
              screen("operatedRequests", "operatedRequests", () => import("../features/operator/RequestsPage.tsx")),
              screen("operatedJobs", "operatedJobs", () => import("../features/operator/JobsPage.tsx")),
              screen("operatedGateways", "operatedGateways", () => import("../features/operator/GatewaysPage.tsx")),
              screen("operatedCatalogue", "operatedCatalogue", () => import("../features/operator/CataloguePage.tsx")),
              screen("invoices", "invoices", () => import("../features/invoices/InvoicesPage.tsx")),
              screen("invoice", "invoice", () => import("../features/invoices/InvoicePage.tsx")),
              screen("webhooks", "webhooks", () => import("../features/webhooks/WebhooksPage.tsx")),
              screen("webhook", "webhook", () => import("../features/webhooks/WebhookPage.tsx")),
            ],
          },
          screen("instance", "instance", () => import("../features/display/DisplayPage.tsx")),
          screen("instanceSave", "instanceSave", () => import("../features/display/DisplayPage.tsx")),
          screen("instanceStop", "instanceStop", () => import("../features/display/DisplayPage.tsx")),
          screen("sideBySide", "sideBySide", () => import("../features/display/SideBySidePage.tsx")),
          screen("liveSession", "liveSession", () => import("../features/live-sessions/LiveSessionPage.tsx")),
          screen("start", "start", () => import("../features/recipes/StartPage.tsx")),
          screen("terms", "terms", () => import("../features/terms/TermsPage.tsx")),
        ],
      },
      ...(import.meta.env.DEV
        ? [{ path: "/demo", lazy: async () => ({ Component: (await import("./DemoPage.tsx")).default }) }]
        : []),
      ...coming,
      { path: "*", loader: () => redirect("/") },
    ],
  },
];

/** Where pages are prerendered there is no address bar. */
export const router = import.meta.env.SSR ? createMemoryRouter(routes) : createBrowserRouter(routes);
