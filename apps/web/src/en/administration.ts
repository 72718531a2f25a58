import { sentences } from "./sentences.ts";

/** What goes wrong where an organization is administered, and what comes of asking for a plan. */
export const administration = sentences({
  administration: {
    requestPremiumPlanDialog: {
      snack: {
        success: "Your request was sent. You will hear from us by email.",
        error: "Your request was not sent. Try again.",
      },
    },
  },
  errors: {
    fetchBalance: "Fail to fetch the balance.",
    fetchUsage: "Fail to fetch the usage.",
    fetchCards: "Fail to fetch the cards.",
    fetchSubscription: "Fail to fetch the subscription.",
    fetchSettings: "Fail to fetch the settings.",
    fetchOrganizationFail: "Fail to fetch the organization.",
    fetchUsers: "Fail to fetch users.",
    fetchGroups: "Fail to fetch groups.",
  },
  getInvoicesFail: "Fail to fetch invoices.",
  downloadInvoiceFail: "Fail to download the invoice.",
});
