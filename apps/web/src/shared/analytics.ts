import { queryClient, session } from "../session/client.ts";
import { publicSettings } from "../session/settings.ts";
import { analyticsConsent } from "./consent.ts";

/** Everything that is counted. A name says what was done, never with what or by whom. */
const events = [
  "page_viewed",
  "device_started",
  "device_stopped",
  "device_saved",
  "recipe_created",
  "recipe_shared",
  "api_token_created",
  "command_run",
] as const;
export type AnalyticsEvent = (typeof events)[number];

const isKnown = (event: string): event is AnalyticsEvent => (events as readonly string[]).includes(event);

/**
 * Posts an event to the operator's collector as `{ event, properties, staff, at }`, if there is one and whoever uses this browser consents.
 * It carries no identifier. An event that is not in the list is logged as a warning, and goes nowhere.
 */
export function track(event: AnalyticsEvent, properties: Record<string, string | number | boolean> = {}): void {
  if (!isKnown(event)) return console.warn(`There is no analytics event ${event as string}`);
  const settings = queryClient.getQueryData<Awaited<ReturnType<typeof publicSettings.queryFn>>>(
    publicSettings.queryKey,
  );
  if (!settings?.analytics || !analyticsConsent.read()) return;
  const { collector, staff_domain: domain } = settings.analytics;
  const staff = domain !== null && session.current?.user.email.toLowerCase().endsWith(`@${domain}`) === true;
  void fetch(collector, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ event, properties, staff, at: new Date().toISOString() }),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    // The page may be left meanwhile.
    keepalive: true,
  }).catch(() => undefined);
}

/** The address of a page without what stands for its parameters: `/instance/:uuid`. */
export function patternOf(pathname: string, params: Readonly<Record<string, string | undefined>>): string {
  const names = new Map(Object.entries(params).map(([name, value]) => [value, name]));
  const parts = pathname.split("/").map((part) => {
    const name = names.get(decodeURIComponent(part));
    return name === undefined || part === "" ? part : `:${name}`;
  });
  return parts.join("/");
}
