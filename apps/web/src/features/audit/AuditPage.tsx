import "../../en/audit.ts";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ExportMenu } from "../../components/ExportMenu.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { auditList } from "./audit-list.tsx";
import { exportAudit, filterOf } from "./audit.queries.ts";

/** Who did what in one's organization, to whom, when and from where. */
export default function AuditPage() {
  const { t } = useTranslation();
  const list = useList(auditList, { t });
  const { search, filters } = list.address;
  const { mutate: save, isPending } = useMutation(exportAudit);
  return (
    <>
      <AdministrationHeader>
        <ExportMenu
          label={t("audit.export.label")}
          busy={t("audit.export.busy")}
          isBusy={isPending}
          formats={(["csv", "jsonl"] as const).map((value) => ({ value, label: t(`audit.export.${value}`) }))}
          onExport={(format) => save({ ...filterOf(search, filters), format })}
        />
      </AdministrationHeader>
      <ListView state={list} empty={<EmptyState title={t("audit.empty.title")} help={t("audit.empty.help")} />} />
    </>
  );
}
