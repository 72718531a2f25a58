import "../../en/invoices.ts";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { generatePath, useNavigate } from "react-router";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { routeRules } from "../../session/routes.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { invoiceList } from "./invoice-list.tsx";
import { downloadInvoice } from "./invoices.queries.ts";

/** What one's organization was billed. */
export default function InvoicesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mutate: download } = useMutation(downloadInvoice);
  const list = useList(invoiceList, {
    t,
    open: ({ uuid }) => void navigate(generatePath(routeRules.invoice.path, { uuid })),
    download,
  });
  return (
    <>
      <AdministrationHeader />
      <ListView state={list} empty={<EmptyState title={t("invoices.empty.title")} help={t("invoices.empty.help")} />} />
    </>
  );
}
