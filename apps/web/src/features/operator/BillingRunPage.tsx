import "../../en/operator.ts";
import { Box, Button, Typography } from "@mui/material";
import type { OperatedPrices } from "@terrarium/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { generatePath, useNavigate, useSearchParams } from "react-router";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { routeRules } from "../../session/routes.ts";
import { daysUntil, dueList } from "./due-list.tsx";
import { FactGrid } from "./Facts.tsx";
import { billNow, dueIn } from "./operator.queries.ts";
import { Prices, PricesDialog } from "./Prices.tsx";
import { MoveClockDialog, ServiceClock } from "./ServiceClock.tsx";

/** Says so where the list has a part of what is due. */
function FirstOfMany() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const { data } = useQuery(dueIn(daysUntil[(params.get("until") ?? "now") as keyof typeof daysUntil] ?? 0));
  if (!data || data.invoices.length >= data.count) return null;
  return (
    <Typography component="output" sx={{ display: "block", mt: 2 }}>
      {t("operator.run.some", {
        all: data.count.toLocaleString("en"),
        shown: data.invoices.length.toLocaleString("en"),
      })}
    </Typography>
  );
}

/** What is due to be billed in all organizations, and the clock that decides it. */
export default function BillingRunPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { asked, ask, close } = useDialog<
    { what: "run" } | { what: "clock" } | { what: "prices"; known: OperatedPrices }
  >();
  const { mutate: bill, isPending } = useMutation(billNow);
  const list = useList(dueList, {
    t,
    open: ({ organization: { uuid } }) =>
      void navigate(generatePath(routeRules.operatedOrganizationBilling.path, { uuid })),
  });
  return (
    <>
      <PageHeader title={t("common.titles.operatedBilling")}>
        <Button
          variant="contained"
          color="primary"
          aria-disabled={isPending || undefined}
          onClick={() => isPending || ask({ what: "run" })}
        >
          {t("operator.run.act")}
        </Button>
      </PageHeader>
      <Box sx={{ mt: 5 }}>
        <FactGrid>
          <Prices onChange={(known) => ask({ what: "prices", known })} />
          <ServiceClock onMove={() => ask({ what: "clock" })} />
        </FactGrid>
      </Box>
      <Typography variant="h2" sx={{ mt: 8 }}>
        {t("operator.run.due")}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {t("operator.run.dueAbout")}
      </Typography>
      <FirstOfMany />
      <ListView
        state={list}
        empty={<EmptyState title={t("operator.run.empty.title")} help={t("operator.run.empty.help")} />}
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          run: () => (
            <ConfirmDialog
              title={t("operator.run.dialog.title")}
              confirm={t("operator.run.act")}
              onClose={close}
              onConfirm={() => {
                close();
                bill();
              }}
            >
              <Typography color="textSecondary">{t("operator.run.dialog.help")}</Typography>
            </ConfirmDialog>
          ),
          clock: () => <MoveClockDialog onClose={close} />,
          prices: ({ known }) => <PricesDialog known={known} onClose={close} />,
        }}
      />
    </>
  );
}
