import { useMutation } from "@tanstack/react-query";
import { type Group, limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { useMe } from "../../session/user.ts";
import { unknownEmails } from "../../shared/colleagues.queries.ts";
import { emailRules } from "../../shared/email-rules.ts";
import { EmailsField } from "../../shared/EmailsField.tsx";
import { groupRefusal } from "./group-refusal.ts";
import { addUsers } from "./groups.queries.ts";

interface Fields {
  emails: string[];
}

/** Adds people of the organization to a group, by their e-mail addresses. */
export function AddUsersDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const { mutateAsync: add, error } = useMutation(addUsers);
  const form = useAppForm<Fields>({
    initial: { emails: [] },
    rules: {
      emails: [
        (emails) => (emails.length > 0 ? undefined : { says: "required" }),
        ...emailRules<Fields>(t, limits.invitationEmails),
      ],
    },
    send: async ({ emails }) => {
      await add({ group, emails, organization: me.organization?.uuid ?? "" });
      onClose();
    },
    refusalOf: (code) =>
      code === "RECIPIENTS_NOT_FOUND"
        ? { field: "emails", says: t("addOrganizationUsers.errors.emailsUnknown") }
        : groupRefusal(t, code, "addGroupUsers"),
  });
  const unknown = unknownEmails(error);
  return (
    <FormDialog
      title={t("groups.addDialog.title", group)}
      form={form}
      submit={t("groups.addDialog.confirm")}
      busy={t("groups.addDialog.busy")}
      width={520}
      onClose={onClose}
    >
      <EmailsField
        form={form}
        name="emails"
        label={t("groups.addDialog.emails")}
        help={t("groups.addDialog.help")}
        unknown={unknown}
        offersAll
      />
    </FormDialog>
  );
}
