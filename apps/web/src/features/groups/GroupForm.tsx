import { useMutation } from "@tanstack/react-query";
import { type Group, limits, maxLength, quotaPlaceOf, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { groupRefusal } from "./group-refusal.ts";
import type { GroupItem } from "../../shared/group-items.ts";
import { allocatedOf, groupsIn } from "./group-tree.ts";
import { createGroup, editGroup } from "./groups.queries.ts";
import { ParentField } from "./ParentField.tsx";
import { allocationOf, type QuotaMode } from "./quota-choice.ts";
import { QuotaField } from "./QuotaField.tsx";

export interface GroupValues {
  name: string;
  description: string;
  /** Null at the top. */
  parent: string | null;
  quota: QuotaMode;
  /** As it was typed. */
  allocation: string;
  isDefault: boolean;
}

interface Props {
  items: readonly GroupItem[];
  /** How many devices the organization may run at once. */
  organizationAllocation: number;
  /** The one to change; undefined to create one. */
  group?: Group;
  /** Where a new one begins. */
  parent?: string | null;
  onClose: () => void;
  onCreated?: (group: Group) => void;
}

/** Creates a group or changes one. */
export function GroupForm({ items, organizationAllocation, group, parent = null, onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: create } = useMutation(createGroup);
  const { mutateAsync: edit } = useMutation(editGroup);
  const groups = groupsIn(items);
  const placeIn = (parent_uuid: string | null) =>
    quotaPlaceOf(organizationAllocation, allocatedOf(groups), { uuid: group?.uuid, parent_uuid });
  const given = group?.quotas.group_allocation ?? null;
  const form = useAppForm<GroupValues>({
    initial: {
      name: group?.name ?? "",
      description: group?.description ?? "",
      parent: group ? group.parent_uuid : parent,
      quota: given === null ? "pool" : "custom",
      allocation: String(given ?? 1),
      isDefault: group?.is_default ?? false,
    },
    rules: {
      name: [required, maxLength(limits.textLength)],
      description: [maxLength(limits.textLength)],
    },
    send: async ({ name, description, parent: parent_uuid, quota, allocation, isDefault }) => {
      const body = {
        name: name.trim(),
        description: description.trim(),
        is_default: isDefault,
        quotas: { group_allocation: allocationOf(placeIn(parent_uuid), quota, allocation) },
      };
      if (group) await edit({ uuid: group.uuid, body });
      else onCreated?.(await create({ ...body, parent_uuid }));
      onClose();
    },
    refusalOf: (code) => {
      const says = groupRefusal(t, code, group ? "editGroup" : "addGroup");
      if (code === "GROUP_EXISTS") return { field: "name", says };
      if (code === "GROUP_TOO_DEEP" && !group) return { field: "parent", says };
      return code?.startsWith("QUOTA_") ? { field: "quota", says } : says;
    },
  });
  const { parent: chosen } = useValues(form);
  const now = groups.find((each) => each.is_default);
  return (
    <FormDialog
      title={group ? t("groups.form.editTitle", group) : t("groups.form.createTitle")}
      form={form}
      submit={t(group ? "groups.form.save" : "groups.form.create")}
      busy={t(group ? "groups.form.saving" : "groups.form.creating")}
      width={480}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t("groups.form.name")} max={limits.textLength} autoComplete="off" />
      <TextField
        form={form}
        name="description"
        label={t("groups.form.description")}
        help={t("groups.form.optional")}
        max={limits.textLength}
        multiline
        maxRows={4}
      />
      <ParentField form={form} items={items} isFixed={group !== undefined} />
      <QuotaField form={form} place={placeIn(chosen)} isAtTop={chosen === null} />
      <CheckboxField
        form={form}
        name="isDefault"
        label={t("groups.form.isDefault")}
        help={
          group?.is_default ? t("groups.form.staysDefault") : now && t("groups.form.defaultNow", { name: now.name })
        }
        isDisabled={group?.is_default ?? false}
      />
    </FormDialog>
  );
}
