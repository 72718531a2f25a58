import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import { useField } from "../../components/form/use-form.ts";
import { GroupField } from "../../shared/GroupField.tsx";
import type { GroupItem } from "../../shared/group-items.ts";
import type { GroupValues } from "./GroupForm.tsx";

interface Props {
  form: AppForm<GroupValues>;
  items: readonly GroupItem[];
  /** A group cannot change its parent. */
  isFixed: boolean;
}

/** The group that another is below; none for one at the top. */
export function ParentField({ form, items, isFixed }: Props) {
  const { t } = useTranslation();
  const { value, onChange, ...field } = useField<string | null>(form, "parent");
  return (
    <GroupField
      field={{ ...field, value: value ?? "", onChange: (group) => onChange(group || null) }}
      items={items}
      label={t("groups.form.parent")}
      help={isFixed ? t("groups.form.parentFixed") : t("groups.form.optional")}
      placeholder={t("groups.form.top")}
      none={t("groups.form.nothing")}
      isDisabled={isFixed}
    />
  );
}
