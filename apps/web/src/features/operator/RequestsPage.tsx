import "../../en/operator.ts";
import type { PlanRequest } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { DecideDialog } from "./DecideDialog.tsx";
import type { Decision } from "./operator.queries.ts";
import { RequestDialog } from "./RequestDialog.tsx";
import { requestList } from "./request-list.tsx";

type Asked = { what: "read"; request: PlanRequest } | { what: "decide"; request: PlanRequest; decision: Decision };

/** What organizations have asked for, and what is decided on it. */
export default function RequestsPage() {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<Asked>();
  const list = useList(requestList, { t, read: (request) => ask({ what: "read", request }) });
  return (
    <>
      <PageHeader title={t("common.titles.operatedRequests")} />
      <ListView
        state={list}
        empty={<EmptyState title={t("operator.requests.empty.title")} help={t("operator.requests.empty.help")} />}
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          read: ({ request }) => (
            <RequestDialog
              request={request}
              onClose={close}
              onDecide={(decision) => ask({ what: "decide", request, decision })}
            />
          ),
          decide: ({ request, decision }) => <DecideDialog request={request} decision={decision} onClose={close} />,
        }}
      />
    </>
  );
}
