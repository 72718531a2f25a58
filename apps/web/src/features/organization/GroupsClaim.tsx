import { Box, Button, IconButton, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits, maxLength, type Provisioning, required, visible } from "@terrarium/contract";
import Trash2 from "lucide-react/icons/trash-2";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { Form } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useField, useValues } from "../../components/form/use-form.ts";
import { Icon } from "../../components/Icon.tsx";
import { snack } from "../../components/snack-queue.ts";
import { client, queryClient } from "../../session/client.ts";
import { GroupField } from "../../shared/GroupField.tsx";
import { type GroupItem, itemsOf } from "../../shared/group-items.ts";
import { groupTree } from "../../shared/groups.queries.ts";
import { provisioningOf } from "./organization.queries.ts";
import { SaveButton } from "../../shared/SaveButton.tsx";

interface Values {
  claim: string;
  pairs: { value: string; group: string }[];
}

const text = [maxLength(limits.textLength), visible];

interface Props {
  uuid: string;
  provisioning: Provisioning;
}

/** Which groups people join by a claim of the organization's own provider. Without the groups, what is saved would look as if it had none. */
export function GroupsClaim(props: Props) {
  const { t } = useTranslation();
  const { data: tree, error, refetch } = useQuery(groupTree);
  if (tree) return <ClaimForm {...props} items={itemsOf(tree)} />;
  if (!error)
    return (
      <Delayed>
        <Skeleton variant="rounded" height={160} />
      </Delayed>
    );
  const retry = () => void refetch();
  return <ErrorState title={t("errors.fetchGroups")} help={t("organization.unread")} error={error} onRetry={retry} />;
}

function ClaimForm({ uuid, provisioning, items }: Props & { items: readonly GroupItem[] }) {
  const { t } = useTranslation();
  const form = useAppForm<Values>({
    initial: {
      claim: provisioning.claim ?? "",
      pairs: provisioning.groups.map(({ value, group_uuid: group }) => ({ value, group })),
    },
    rules: { claim: text },
    *check({ pairs }) {
      const seen = new Set<string>();
      for (const [index, { value, group }] of pairs.entries()) {
        const given = value.trim();
        const broken = [required, ...text].map((rule) => rule(given)).find(Boolean);
        yield [
          `pairs.${index}.value`,
          broken ?? (seen.has(given) ? { message: t("organization.claim.twice") } : undefined),
        ];
        seen.add(given);
        yield [`pairs.${index}.group`, required(group)];
      }
    },
    async send({ claim, pairs }) {
      const groups = pairs.map(({ value, group }) => ({ value: value.trim(), group_uuid: group }));
      const body = { claim: claim.trim() || null, groups };
      const changed = await client.provisioning.setClaim({ params: { uuid }, body });
      queryClient.setQueryData(provisioningOf(uuid).queryKey, changed);
      snack("success", t("organization.claim.done"));
    },
    refusalOf: (code) => t(code === "GROUP_NOT_FOUND" ? "organization.claim.gone" : "organization.failed"),
  });
  const { pairs } = useValues(form);
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <TextField
        form={form}
        name="claim"
        label={t("organization.claim.name")}
        help={t("organization.claim.nameHelp")}
        autoComplete="off"
      />
      <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: "grid", gap: 3 }}>
        <Typography component="legend" variant="h3" sx={{ p: 0, mb: 1 }}>
          {t("organization.claim.pairs")}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t("organization.claim.pairsHelp")}
        </Typography>
        {pairs.map((_, index) => (
          <Box key={index} sx={line}>
            <TextField
              form={form}
              name={`pairs.${index}.value`}
              label={t("organization.claim.value")}
              autoComplete="off"
            />
            <ValueGroup form={form} index={index} items={items} />
            <IconButton
              sx={{ mt: "26px" }}
              aria-label={t("organization.claim.remove", { count: index + 1 })}
              onClick={() => form.set("pairs", pairs.toSpliced(index, 1))}
            >
              <Icon glyph={Trash2} />
            </IconButton>
          </Box>
        ))}
        <Box>
          <Button
            variant="outlined"
            disabled={pairs.length >= limits.claimGroups}
            onClick={() => form.set("pairs", [...pairs, { value: "", group: "" }])}
          >
            {t("organization.claim.add")}
          </Button>
        </Box>
      </Box>
    </Form>
  );
}

/** The group of one value. */
function ValueGroup({ form, index, items }: { form: AppForm<Values>; index: number; items: readonly GroupItem[] }) {
  const { t } = useTranslation();
  return (
    <GroupField
      field={useField<string>(form, `pairs.${index}.group`)}
      items={items}
      label={t("organization.claim.group")}
      none={t("organization.claim.noGroup")}
    />
  );
}

const line = {
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr) auto",
  alignItems: "start",
  gap: 2,
} as const;
