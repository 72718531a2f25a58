import "../en/invoices.ts";
import { type Invoice, invoiceState, type InvoiceState as State } from "@terrarium/contract";
import Ban from "lucide-react/icons/ban";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import Clock from "lucide-react/icons/clock";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import Undo from "lucide-react/icons/undo-2";
import { useTranslation } from "react-i18next";
import { StateChip } from "../components/StateChip.tsx";

const looks = {
  PENDING: { tone: "warning", glyph: Clock },
  FAILED: { tone: "error", glyph: TriangleAlert },
  ACCEPTED: { tone: "success", glyph: CircleCheck },
  VOID: { tone: "gone", glyph: Ban },
  UNCOLLECTIBLE: { tone: "error", glyph: TriangleAlert },
  REFUNDED: { tone: "ending", glyph: Undo },
  PARTIALLY_REFUNDED: { tone: "ending", glyph: Undo },
  UNKNOWN: { tone: "gone", glyph: CircleHelp },
} as const satisfies Record<State, object>;

type Shown = Pick<Invoice, "amount" | "status_history" | "ref_transaction">;

/** Whether whoever manages the organization has to pay it by hand. */
export const isToPay = (invoice: Shown): boolean => ["FAILED", "UNCOLLECTIBLE"].includes(invoiceState(invoice));

/** Whether it can be paid: before it is charged, too. Credit notes are below zero. */
export const canBePaid = (invoice: Shown): boolean =>
  isToPay(invoice) || (invoiceState(invoice) === "PENDING" && invoice.amount > 0);

/** How an invoice stands. */
export function InvoiceState({ invoice }: { invoice: Shown }) {
  const { t } = useTranslation();
  const state = invoiceState(invoice);
  return <StateChip {...looks[state]} label={t(`invoices.states.${state}`)} />;
}
