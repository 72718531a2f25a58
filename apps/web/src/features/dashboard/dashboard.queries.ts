import "../../en/administration.ts";
import "../../en/dashboard.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { AppError } from "@terrarium/sdk";
import { mutation } from "../../components/mutation.ts";
import { saveAnswer } from "../../components/save-file.ts";
import { client } from "../../session/client.ts";
import { organizationKey } from "../../shared/organizations.queries.ts";
import type { Period } from "./period.ts";

/** The viewer's. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What there is to decide. Below the key of the organization, so that it is read again whenever devices start or stop. */
export const overview = {
  queryKey: [...organizationKey, "overview"] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.usage.overview({}, { signal }),
};

/** The usage of a period. What was there stays in sight while another is on its way. */
export const usageOf = ({ since, until }: Period) => ({
  queryKey: ["usage", since, until, timeZone()] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.usage.get({ query: { since, until, time_zone: timeZone() } }, { signal }),
  placeholderData: keepPreviousData,
  staleTime: 60_000,
});

/** Saves each run of a period as a file. */
export const exportUsage = mutation({
  mutationKey: ["usage", "export"],
  mutationFn: async ({ since, until, format }: Period & { format: "csv" | "xlsx" }) => {
    const answer = await client.usage.export({ query: { since, until, format, time_zone: timeZone() } });
    await saveAnswer(answer, `usage-${since}-${until}.${format}`);
  },
  refuses: (t, error) =>
    error instanceof AppError && error.code === "USAGE_TOO_LARGE"
      ? t("dashboard.export.tooLarge")
      : error instanceof AppError && error.code === "TOO_MANY_REQUESTS"
        ? t("dashboard.export.tooMany")
        : t("dashboard.export.failed"),
});
