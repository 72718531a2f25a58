import { createBrowserRouter, createMemoryRouter, type Params, redirect, type RouteObject } from "react-router";
import { session } from "../session/client.ts";
import { enterHome } from "./enter-home.ts";
import { fetchCode } from "../components/fetch-code.ts";
import { sections } from "../features/administration/sections.ts";
import SignInPage from "../features/sign-in/SignInPage.tsx";
import { guard } from "../session/guards.ts";
import { ErrorPage } from "./ErrorPage.tsx";
import { Root } from "./Root.tsx";
import { type PageTitle, type RouteRules, routeRules, type ScreenName } from "../session/routes.ts";
import { roleOf } from "../session/session.ts";
import { unopenedInvitation } from "../session/unopened-invitation.ts";
import { SignedIn } from "./SignedIn.tsx";

type Page = React.ComponentType;
/** The code of each page comes when it is first opened, and with it what it cannot be shown without, if it says what that is. */
export const pages = import.meta.glob<{ default: Page; prepare?: (params: Params) => Promise<unknown> }>(
  ["./*/*Page.tsx", "!./sign-in/*"],
  { base: "../features" },
);

/** Those whose name is their title. */
type NamedAfterTitle = {
  [Name in ScreenName]: (typeof routeRules)[Name] extends { title: PageTitle } ? never : Name;
}[Exclude<ScreenName, "administration">];

/** A screen with its guard. */
function screen(name: Exclude<ScreenName, "administration">, Component?: Page): RouteObject {
  const rules: RouteRules = routeRules[name];
  const load = rules.page && (() => fetchCode(pages[`./${rules.page}.tsx`]!));
  return {
    path: rules.path,
    handle: { title: rules.title ?? (name as NamedAfterTitle) } satisfies { title: PageTitle },
    loader: async ({ request, params }) => {
      const elsewhere = checkGuard(rules, new URL(request.url));
      // Runs once for each visit that the guard lets in.
      if (!elsewhere && rules.page === routeRules.home.page) enterHome();
      if (!elsewhere && load) await (await load()).prepare?.(params);
      return elsewhere;
    },
    ...(load ? { lazy: async () => ({ Component: (await load()).default }) } : { Component }),
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

/** Somewhere that leads to a screen, for those who may enter it. */
const leadsTo = (path: string, rules: RouteRules, to: string): RouteObject => ({
  path,
  loader: ({ request }) => checkGuard(rules, new URL(request.url)) ?? redirect(to),
});

/** What has its code in the first file, as everybody needs it on the way in, or when there is no other. */
const atHand: Partial<Record<ScreenName, Page>> = { signIn: SignInPage, oops: ErrorPage };
const { administration, ...screens } = routeRules;
const names = Object.keys(screens) as (keyof typeof screens)[];
const among = (isOf: (rules: RouteRules) => boolean) =>
  names.filter((name) => isOf(screens[name])).map((name) => screen(name, atHand[name]));
const isForAnyone = ({ isPublic, exempt }: RouteRules): boolean => Boolean(isPublic || exempt);

const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: ErrorPage,
    // The mark that index.html shows stays until the first page is there.
    HydrateFallback: () => <div className="arriving" />,
    children: [
      ...among(isForAnyone),
      { path: "/signup", loader: ({ request }) => redirect(`/${new URL(request.url).search}`) },
      {
        Component: SignedIn,
        children: [
          {
            lazy: async () => ({ Component: (await fetchCode(() => import("./Shell.tsx"))).Shell }),
            children: [
              ...among((rules) => !isForAnyone(rules) && !rules.isWhole),
              // What is no section leads to the first one, too.
              ...["", "/*"].map((below) =>
                leadsTo(administration.path + below, administration, routeRules[sections[0]].path),
              ),
              // Where plans were once.
              leadsTo(`${administration.path}/organization`, routeRules.billing, routeRules.billing.path),
            ],
          },
          ...among((rules) => !isForAnyone(rules) && Boolean(rules.isWhole)),
        ],
      },
      { path: "*", loader: () => redirect("/") },
    ],
  },
];

/** Where pages are prerendered there is no address bar. */
export const router = import.meta.env.SSR ? createMemoryRouter(routes) : createBrowserRouter(routes);
