import { AppError } from "@terrarium/contract";
import { client } from "../../session/client.ts";

/** Confirms an address with the key of a mailed link. It works once, so the result is cached for good, and a missing key is not sent. */
export const activation = (key: string) => ({
  queryKey: ["activation", key],
  queryFn: () =>
    key === ""
      ? Promise.reject(new AppError("ACTIVATION_LINK_INVALID"))
      : client.accounts.activate({ params: { key } }),
  staleTime: Number.POSITIVE_INFINITY,
});
