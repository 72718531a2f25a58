import "../../en/administration.ts";
import { Box } from "@mui/material";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { BillingInformation } from "./BillingInformation.tsx";
import { PaymentMethods } from "./PaymentMethods.tsx";

/** How an organization pays, and whom invoices are made out to. */
export default function BillingPage() {
  return (
    <>
      <AdministrationHeader />
      <Box sx={{ display: "grid", gap: 10, mt: 5 }}>
        <PaymentMethods />
        <BillingInformation />
      </Box>
    </>
  );
}
