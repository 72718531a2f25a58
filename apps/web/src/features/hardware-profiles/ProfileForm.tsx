import "../../en/hardware-profiles.ts";
import { Box, Button, DialogActions } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { copyOf, type HardwareProfile, limits, maxLength, required, visible } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { AdvancedFields } from "./AdvancedFields.tsx";
import { DisplayModeField, DisplaysField, KeysField } from "./DisplayFields.tsx";
import {
  createHardwareProfile,
  duplicateHardwareProfile,
  editHardwareProfile,
  refusalOf,
} from "./hardware-profiles.queries.ts";
import { FormFactorField, ProcessorFields } from "./HardwareFields.tsx";
import { bodyOf, checkProfile, fieldsOf, type ProfileFields } from "./profile-fields.ts";
import { ProfilePreview } from "./ProfilePreview.tsx";

type ProfileTask = { what: "create" } | { what: "edit" | "duplicate"; profile: HardwareProfile };

const says = {
  create: { submit: "create", busy: "creating" },
  edit: { submit: "save", busy: "saving" },
  duplicate: { submit: "duplicate", busy: "duplicating" },
} as const;

interface Props {
  task: ProfileTask;
  /** Shows the profile as it is now, which somebody else has changed. */
  lookAgain?: () => Promise<HardwareProfile | undefined>;
  onClose: () => void;
}

/** The editor of a profile: what is typed on the left, and drawn to scale on the right. */
export default function ProfileForm({ task, lookAgain, onClose }: Props) {
  const { t } = useTranslation();
  const { what } = task;
  const profile = what === "create" ? undefined : task.profile;
  const { mutateAsync: create } = useMutation(what === "create" ? createHardwareProfile : duplicateHardwareProfile);
  const { mutateAsync: edit } = useMutation(editHardwareProfile);
  // An edit is of the profile as it was when the form was filled, although fields that nobody has touched follow what others change.
  const [revision, setRevision] = useState(profile?.revision ?? 0);
  const name = what === "duplicate" ? copyOf(task.profile.name) : undefined;
  const form = useAppForm<ProfileFields>({
    initial: fieldsOf(profile, name),
    rules: { name: [required, maxLength(limits.textLength), visible] },
    check: checkProfile,
    send: async (fields) => {
      const body = bodyOf(fields);
      await (what === "edit" ? edit({ uuid: task.profile.uuid, body: { ...body, revision } }) : create(body));
      onClose();
    },
    refusalOf: (code) => {
      if (code === "HARDWARE_PROFILE_CHANGED") void lookAgain?.().then((now) => now && setRevision(now.revision));
      return refusalOf(t, code, `${what}HardwareProfile`);
    },
  });
  return (
    <>
      <Box sx={panes}>
        <ProfilePreview form={form} recipes={what === "edit" ? task.profile.recipe_count : 0} />
        <Box sx={fields}>
          <Form form={form} takesFocus>
            <TextField
              form={form}
              name="name"
              label={t("hardwareProfiles.form.name")}
              max={limits.textLength}
              countsDown
              autoComplete="off"
            />
            <FormFactorField form={form} />
            <DisplayModeField form={form} />
            <DisplaysField form={form} />
            <KeysField form={form} />
            <ProcessorFields form={form} />
            <AdvancedFields form={form} />
          </Form>
        </Box>
      </Box>
      <DialogActions sx={{ borderTop: 1, borderColor: "divider" }}>
        <Button variant="text" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <SubmitButton form={form} busy={t(`hardwareProfiles.form.${says[what].busy}`)}>
          {t(`hardwareProfiles.form.${says[what].submit}`)}
        </SubmitButton>
      </DialogActions>
    </>
  );
}

const panes = {
  flex: 1,
  minHeight: 0,
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 360px" },
  gridTemplateRows: { xs: "auto minmax(0, 1fr)", md: "minmax(0, 1fr)" },
  borderTop: 1,
  borderColor: "divider",
};
/** Stands left of the picture where there is room, and below it elsewhere. */
const fields = { order: { md: -1 }, minHeight: 0, overflowY: "auto", px: 6, py: 5 };
