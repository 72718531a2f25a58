import { Box, Button, Paper, Typography } from "@mui/material";
import { limits, type Offer, type Organization, type PlanKind, planTimes } from "@terrarium/contract";
import Check from "lucide-react/icons/check";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { money } from "../../components/money.ts";
import { Tag } from "../../components/Tag.tsx";
import { monthOfYear } from "./prices.ts";

interface Props {
  offer: Offer;
  organization: Organization;
  /** The current plan. */
  kind: PlanKind | null;
  contact: React.ReactNode;
  onChoose: (card: "payg" | "unlimited" | "premium") => void;
}

/** The available plans, each with its price and how to get it. */
export function PlanCards({ offer, organization, kind, contact, onChoose }: Props) {
  const { t } = useTranslation();
  const { currency } = offer;
  const { max } = organization.license.instances;
  const choose = (card: "payg" | "unlimited" | "premium") => (
    <Button
      variant={card === "unlimited" ? "contained" : "outlined"}
      {...(card === "unlimited" && { color: "primary" as const })}
      onClick={() => onChoose(card)}
    >
      {t(`plans.choose.${card}.act`)}
    </Button>
  );
  return (
    <Box component="ul" sx={row}>
      <Card
        name={t("plans.names.payg")}
        isCurrent={kind === "payg"}
        price={money(offer.minute_cents, currency)}
        per={t("plans.choose.payg.per")}
        points={[
          t("plans.choose.payg.points.billed", {
            days: planTimes.billingDays,
            threshold: money(offer.payg_threshold_cents, currency),
          }),
          // The limit of now is that of the devices paid in advance.
          ...(kind === "unlimited" ? [] : [t("plans.choose.payg.points.limit", { count: max })]),
          t("plans.choose.payg.points.free"),
        ]}
        act={kind !== "payg" && choose("payg")}
      />
      <Card
        name={t("plans.names.unlimited")}
        isCurrent={kind === "unlimited"}
        price={money(monthOfYear(offer), currency)}
        per={t("plans.choose.unlimited.per")}
        note={t("plans.choose.unlimited.monthly", { price: money(offer.unlimited_monthly_cents, currency) })}
        points={[
          t("plans.choose.unlimited.points.minutes"),
          t("plans.choose.unlimited.points.devices", { max: limits.upfrontDevices }),
          t("plans.choose.unlimited.points.discount", { percent: offer.annual_discount }),
        ]}
        act={kind !== "unlimited" && choose("unlimited")}
      />
      {kind === "fixed" ? (
        <Card
          name={t("plans.names.fixed")}
          isCurrent
          price={t("plans.choose.fixed.price")}
          per={t("plans.choose.fixed.per")}
          points={[t("plans.choose.fixed.points.limit", { count: max })]}
          act={contact}
        />
      ) : (
        <Card
          name={t("plans.names.premium")}
          price={t("plans.choose.premium.price")}
          per={t("plans.choose.premium.per")}
          points={[
            t("plans.choose.premium.points.devices", { max: limits.upfrontDevices }),
            t("plans.choose.premium.points.zone"),
            t("plans.choose.premium.points.invoice"),
          ]}
          act={choose("premium")}
        />
      )}
    </Box>
  );
}

interface CardProps {
  name: string;
  isCurrent?: boolean;
  price: string;
  per: string;
  note?: string;
  points: string[];
  act: React.ReactNode;
}

function Card({ name, isCurrent = false, price, per, note, points, act }: CardProps) {
  const { t } = useTranslation();
  return (
    <Paper component="li" variant="outlined" sx={card} {...(isCurrent && { "aria-current": "true" as const })}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 3, minHeight: 24 }}>
        <Typography variant="h3" sx={{ flex: 1 }}>
          {name}
        </Typography>
        {isCurrent && <Tag>{t("plans.choose.isCurrent")}</Tag>}
      </Box>
      <Box sx={{ minHeight: { md: 76 } }}>
        <Typography variant="figure" component="p" sx={{ m: 0 }}>
          {price}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {per}
        </Typography>
        {note && (
          <Typography variant="body2" sx={{ color: "text.tertiary" }}>
            {note}
          </Typography>
        )}
      </Box>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0, display: "grid", gap: 1.5, alignContent: "start" }}>
        {points.map((point) => (
          <Box
            component="li"
            key={point}
            sx={{ display: "flex", gap: 2, typography: "body2", color: "text.secondary", alignItems: "flex-start" }}
          >
            <Box component="span" sx={{ color: "primary.main", display: "inline-flex", pt: "2px" }}>
              <Icon glyph={Check} />
            </Box>
            {point}
          </Box>
        ))}
      </Box>
      {act && <Box sx={{ mt: "auto", display: "grid", pt: 2 }}>{act}</Box>}
    </Paper>
  );
}

const row = {
  listStyle: "none",
  m: 0,
  p: 0,
  display: "grid",
  gap: 4,
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(3, minmax(0, 1fr))" },
} as const;

const card = {
  p: { xs: 4, sm: 5 },
  borderRadius: "10px",
  display: "flex",
  flexDirection: "column",
  gap: 3,
  '&[aria-current="true"]': { borderColor: "primary.main" },
} as const;
