import "../../en/sign-up.ts";
import { Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { Offer } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { publicSettings } from "../../session/settings.ts";

const priceOf = ({ currency, minute_cents }: Offer): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(minute_cents / 100);

/** What a new account has for free, and what it costs then, as the service says. */
export function Incentive() {
  const { t } = useTranslation();
  const offer = useQuery(publicSettings).data?.offer;
  const said = () => {
    if (!offer) return [];
    const { minutes, days } = offer.trial;
    const hasTrial = minutes > 0 && days > 0;
    const price = priceOf(offer);
    return [
      ...(hasTrial ? [t("signUp.offer.trial", { minutes, days })] : []),
      ...(offer.minute_cents > 0 ? [t(hasTrial ? "signUp.offer.afterwards" : "signUp.offer.price", { price })] : []),
      ...(hasTrial ? [t("signUp.offer.noCard")] : []),
    ];
  };
  return (
    <Typography color="textSecondary" sx={{ minHeight: 20, overflowWrap: "anywhere" }}>
      {said().join(" ")}
    </Typography>
  );
}
