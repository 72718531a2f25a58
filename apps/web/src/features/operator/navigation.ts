import Activity from "lucide-react/icons/activity";
import Building2 from "lucide-react/icons/building-2";
import Inbox from "lucide-react/icons/inbox";
import ReceiptText from "lucide-react/icons/receipt-text";
import ListChecks from "lucide-react/icons/list-checks";
import Server from "lucide-react/icons/server";
import Layers from "lucide-react/icons/layers";
import type { MainScreen } from "../../session/routes.ts";

export const navigation: readonly MainScreen[] = [
  ["operator", Activity],
  ["operatedOrganizations", Building2],
  ["operatedRequests", Inbox],
  ["operatedBilling", ReceiptText],
  ["operatedJobs", ListChecks],
  ["operatedGateways", Server],
  ["operatedCatalogue", Layers],
];
