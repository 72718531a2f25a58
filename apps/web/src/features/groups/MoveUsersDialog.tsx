import { Box, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { Group } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAppForm, useField } from "../../components/form/use-form.ts";
import { FieldHelp } from "../../components/FormField.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { groupRefusal } from "./group-refusal.ts";
import type { GroupItem } from "../../shared/group-items.ts";
import { groupsIn } from "./group-tree.ts";
import { type Members, moveUsers } from "./groups.queries.ts";
import { GroupTree } from "./GroupTree.tsx";

interface Props extends Members {
  items: readonly GroupItem[];
  /** Where they were dropped. */
  target?: Group | undefined;
  onClose: () => void;
}

/** Asks where people of a group go. */
export function MoveUsersDialog({ group, users, items, target, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: move } = useMutation(moveUsers);
  const [search, setSearch] = useState("");
  const sought = useDebounced(search.trim());
  const find = (uuid: string) => groupsIn(items).find((each) => each.uuid === uuid);
  const form = useAppForm({
    initial: { target: target?.uuid ?? "" },
    rules: {
      target: [
        (uuid) => (find(uuid) ? undefined : { message: t("groups.moveDialog.none") }),
        (uuid) => (uuid === group.uuid ? { message: t("groups.moveDialog.same") } : undefined),
      ],
    },
    send: async ({ target: uuid }) => {
      const chosen = find(uuid);
      if (chosen) await move({ group, users, target: chosen });
      onClose();
    },
    refusalOf: (code) => groupRefusal(t, code, "moveGroupUsers"),
  });
  const { value, error, onChange } = useField<string>(form, "target");
  const [first] = users;
  const chosen = find(value);
  return (
    <FormDialog
      title={t("groups.moveDialog.title", { count: users.length, name: first ? nameOf(first) : "" })}
      form={form}
      submit={t("groups.moveDialog.confirm", { count: users.length })}
      busy={t("groups.moveDialog.busy")}
      width={480}
      onClose={onClose}
    >
      {/* A search may hide where they go. */}
      <Typography color="textSecondary" aria-live="polite" sx={{ overflowWrap: "anywhere" }}>
        {chosen && chosen.uuid !== group.uuid
          ? t("groups.moveDialog.leadTo", { name: group.name, target: chosen.name })
          : t("groups.moveDialog.lead", group)}
      </Typography>
      <Box ref={showChosen} sx={{ display: "flex", flexDirection: "column", gap: 2, height: 320, overflowX: "hidden" }}>
        <GroupTree
          items={items}
          search={search}
          onSearch={setSearch}
          sought={sought}
          chosen={value}
          onChoose={(uuid) => {
            onChange(uuid);
            form.check("target");
          }}
        />
      </Box>
      <FieldHelp id={`${form.id}-target`} error={error} reservesLine />
    </FormDialog>
  );
}

/** Where they were dropped may be far down. */
const showChosen = (tree: HTMLElement | null) =>
  tree?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
