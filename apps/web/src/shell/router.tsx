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

type Lazy = () => Promise<{ default: React.ComponentType }>;

interface Options {
  /** Its own name by default. */
  title?: PageTitle;
  /** Runs once for each visit that the guard lets in. */
  onEnter?: () => void;
}

/** A screen with its guard; its code comes when it is first opened. */
function screen(name: ScreenName & PageTitle, lazy: Lazy, options?: Options): RouteObject;
function screen(name: ScreenName, lazy: Lazy, options: Options & { title: PageTitle }): RouteObject;
function screen(name: ScreenName, lazy: Lazy, { title = name as PageTitle, onEnter }: Options = {}): RouteObject {
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
      screen("home", home, { onEnter: enterHome }),
      screen("homeAlias", home, { title: "home", onEnter: enterHome }),
      { path: "/signup", loader: ({ request }) => redirect(`/${new URL(request.url).search}`) },
      // Not lazy: on the way in everybody needs it, and what it shares with the home page is smaller in one file.
      screen("signIn", async () => ({ default: SignInPage })),
      screen("signUpConfirm", () => import("../features/sign-up/SignUpConfirmPage.tsx")),
      screen("ssoCallback", () => import("../features/sso/SsoCallbackPage.tsx"), { title: "signIn" }),
      screen("join", () => import("../features/invitations/JoinPage.tsx")),
      screen("forgotPassword", () => import("../features/passwords/ForgotPasswordPage.tsx")),
      screen("newPassword", () => import("../features/passwords/NewPasswordPage.tsx")),
      screen("mailbox", () => import("../features/mailbox/MailboxPage.tsx")),
      screen("mail", () => import("../features/mailbox/MailboxPage.tsx"), { title: "mailbox" }),
      screen("replay", () => import("../features/replays/ReplayPage.tsx")),
      screen("legalTerms", () => import("../features/legal/LegalTermsPage.tsx"), { title: "terms" }),
      screen("legalPrivacy", () => import("../features/legal/PrivacyPage.tsx"), { title: "privacy" }),
      screen("update", () => import("../features/updates/UpdatePage.tsx")),
      screen("oops", async () => ({ default: ErrorPage })),
      screen("components", home, { title: "home" }),
      screen("directives", home, { title: "home" }),
      {
        Component: SignedIn,
        children: [
          {
            lazy: async () => ({ Component: (await fetchCode(() => import("./Shell.tsx"))).Shell }),
            children: [
              screen("launchpad", () => import("../features/instances/LaunchpadPage.tsx")),
              screen("liveSessions", () => import("../features/live-sessions/LiveSessionsPage.tsx")),
              screen("captures", () => import("../features/captures/CapturesPage.tsx")),
              screen("recipes", () => import("../features/recipes/RecipesPage.tsx")),
              screen("hardwareProfiles", () => import("../features/hardware-profiles/HardwareProfilesPage.tsx")),
              screen("images", () => import("../features/os-images/OsImagesPage.tsx")),
              screen("api", () => import("../features/api-tokens/ApiTokensPage.tsx")),
              screen("profile", () => import("../features/profile/ProfilePage.tsx")),
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
              screen("dashboard", () => import("../features/dashboard/DashboardPage.tsx")),
              screen("users", () => import("../features/users/UsersPage.tsx")),
              screen("groups", () => import("../features/groups/GroupsPage.tsx")),
              screen("billing", () => import("../features/billing/BillingPage.tsx")),
              screen("settings", () => import("../features/organization/SettingsPage.tsx")),
              screen("audit", () => import("../features/audit/AuditPage.tsx")),
              screen("operator", () => import("../features/operator/OverviewPage.tsx")),
              screen("operatedOrganizations", () => import("../features/operator/OrganizationsPage.tsx")),
              screen("operatedOrganization", () => import("../features/operator/OrganizationPage.tsx")),
              screen("operatedOrganizationBilling", () => import("../features/operator/OrganizationBillingPage.tsx")),
              screen("operatedBilling", () => import("../features/operator/BillingRunPage.tsx")),
              screen("operatedRequests", () => import("../features/operator/RequestsPage.tsx")),
              screen("operatedJobs", () => import("../features/operator/JobsPage.tsx")),
              screen("operatedGateways", () => import("../features/operator/GatewaysPage.tsx")),
              screen("operatedCatalogue", () => import("../features/operator/CataloguePage.tsx")),
              screen("invoices", () => import("../features/invoices/InvoicesPage.tsx")),
              screen("invoice", () => import("../features/invoices/InvoicePage.tsx")),
              screen("webhooks", () => import("../features/webhooks/WebhooksPage.tsx")),
              screen("webhook", () => import("../features/webhooks/WebhookPage.tsx")),
            ],
          },
          screen("instance", () => import("../features/display/DisplayPage.tsx")),
          screen("instanceSave", () => import("../features/display/DisplayPage.tsx")),
          screen("instanceStop", () => import("../features/display/DisplayPage.tsx")),
          screen("sideBySide", () => import("../features/display/SideBySidePage.tsx")),
          screen("liveSession", () => import("../features/live-sessions/LiveSessionPage.tsx")),
          screen("start", () => import("../features/recipes/StartPage.tsx")),
          screen("terms", () => import("../features/terms/TermsPage.tsx")),
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
