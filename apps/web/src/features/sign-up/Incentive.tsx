import "../../en/sign-up.ts";
import { Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { money } from "../../components/money.ts";
import { publicSettings } from "../../session/settings.ts";

/** What a new account has for free, and what it costs then, as the service says. */
export function Incentive() {
  const { t } = useTranslation();
  const offer = useQuery(publicSettings).data?.offer;
  const said = () => {
    if (!offer) return [];
    const { minutes, days } = offer.trial;
    const hasTrial = minutes > 0 && days > 0;
    const price = money(offer.minute_cents, offer.currency);
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
