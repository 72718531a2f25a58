import "../../en/recipes-page.ts";
import { Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { limits, maxLength, minLength, type Person, type Recipe, type Share } from "@terrarium/contract";
import Building from "lucide-react/icons/building-2";
import { useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { DialogBody } from "../../components/DialogBody.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { Icon } from "../../components/Icon.tsx";
import type { Me } from "../../session/user.ts";
import { emailRules } from "../../shared/email-rules.ts";
import { EmailsField } from "../../shared/EmailsField.tsx";
import { unknownEmails } from "../../shared/colleagues.queries.ts";
import { Recipients } from "./Recipients.tsx";
import { endShare, shareRecipe } from "./shares.queries.ts";

interface Fields {
  emails: string[];
  /** Whom it is shared with already. */
  people: Person[];
  organizations: Share["organizations"];
  /** The identifier of one more. */
  organization: string;
  message: string;
}

interface Props {
  recipe: Recipe;
  me: Me;
  /** Undefined for a recipe that is not shared yet. */
  share: Share | undefined;
  onClose: () => void;
}

/** Asks for whom to share a recipe with, and shows who has it already. */
export default function ShareForm({ recipe, me, share, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync, error } = useMutation(shareRecipe);
  const atLeastOne = minLength(1, t("recipes.share.nobody"));
  const form = useAppForm<Fields>({
    initial: {
      emails: [],
      people: share?.recipients.users ?? [],
      organizations: share?.organizations ?? [],
      organization: "",
      message: share?.message ?? "",
    },
    rules: {
      emails: [
        (emails, { people, organizations, organization }) =>
          atLeastOne([...emails, ...people, ...organizations, ...(organization.trim() ? [organization] : [])]),
        ...emailRules<Fields>(t, limits.shareRecipients, ({ people }) => people.length),
      ],
      organization: [
        (id) =>
          /^([\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12})?$/i.test(id.trim())
            ? undefined
            : { message: t("recipes.share.notAnId") },
      ],
      message: [maxLength(limits.shareMessageLength)],
    },
    send: async ({ emails, people, organizations, organization, message }) => {
      await mutateAsync({
        recipe,
        emails,
        people: uuidsOf(people),
        organizations: uuidsOf(organizations),
        organization: organization.trim(),
        message,
      });
      onClose();
    },
    refusalOf: (code) => {
      switch (code) {
        case "RECIPIENTS_NOT_FOUND":
          return { field: "emails", says: t("addOrganizationUsers.errors.emailsUnknown") };
        case "TOO_MANY_RECIPIENTS":
          return { field: "emails", says: t("invitation.emails.limit", { limit: limits.shareRecipients }) };
        case "ORGANIZATION_NOT_FOUND":
          return { field: "organization", says: t("recipes.share.noOrganization") };
        case "SHARE_NOT_FOUND":
          return t("errors.shareNotFound");
        case "RECIPE_NOT_FOUND":
          return t("errors.recipeNotFound");
        case "RECIPE_SHARE_NOT_ALLOWED":
          return t("errors.shareNotAllowed");
        case "TOO_MANY_REQUESTS":
          return t("errors.tooManyShares");
        default:
          return t("errors.shareRecipe");
      }
    },
  });
  const [asksForOrganization, setAsksForOrganization] = useState(false);
  const unknown = unknownEmails(error);
  const { people, organizations } = useValues(form);
  const remove = (uuid: string) => {
    const isOther = (item: { uuid: string }) => item.uuid !== uuid;
    const left = { people: people.filter(isOther), organizations: organizations.filter(isOther) };
    form.set("people", left.people);
    form.set("organizations", left.organizations);
    // How many there may be, and whether there are any, is said there.
    form.check("emails");
    // The list is gone with the last of them.
    if (left.people.length + left.organizations.length === 0) form.focus("emails");
  };
  return (
    <DialogBody
      actions={
        <>
          {share && <EndShare recipe={recipe} onEnd={onClose} />}
          <Button variant="text" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <SubmitButton form={form} busy={t(share ? "recipes.share.saving" : "recipes.share.busy")}>
            {t(share ? "recipes.share.save" : "recipes.share.submit")}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} takesFocus>
        <EmailsField
          form={form}
          name="emails"
          label={t("recipes.share.people")}
          help={t("recipes.share.peopleHelp")}
          unknown={unknown}
        />
        <Typography variant="body2" color="textSecondary">
          <span>{t("recipes.share.rights")}</span>{" "}
          {recipe.right === "owner" && me.organization && (
            <span>{t("recipes.share.colleagues", { organization: me.organization.name })}</span>
          )}
        </Typography>
        <Recipients people={people} organizations={organizations} onRemove={remove} />
        {asksForOrganization ? (
          <TextField
            form={form}
            name="organization"
            label={t("recipes.share.organization")}
            help={t("recipes.share.organizationHelp", { uuid: me.organization?.uuid ?? "" })}
            autoComplete="off"
          />
        ) : (
          organizations.length < limits.shareOrganizations && (
            <Button
              variant="text"
              sx={{ justifySelf: "start", ml: -2 }}
              onClick={() => {
                flushSync(() => setAsksForOrganization(true));
                form.focus("organization");
              }}
            >
              <Icon glyph={Building} />
              {t("recipes.share.addOrganization")}
            </Button>
          )
        )}
        <TextField
          form={form}
          name="message"
          label={t("recipes.share.message")}
          help={t("recipes.share.messageHelp")}
          max={limits.shareMessageLength}
          multiline
          minRows={3}
          maxRows={8}
        />
      </Form>
    </DialogBody>
  );
}

const uuidsOf = (items: readonly { uuid: string }[]): string[] => items.map(({ uuid }) => uuid);

/** Ends the whole share, once that is confirmed. */
function EndShare({ recipe, onEnd }: { recipe: Recipe; onEnd: () => void }) {
  const { t } = useTranslation();
  const { mutate } = useMutation(endShare);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="text" color="error" onClick={() => setAsked(true)} sx={{ mr: "auto", color: "error.main" }}>
        {t("recipes.share.end")}
      </Button>
      {isAsked && (
        <ConfirmDialog
          isDestructive
          title={t("recipes.share.endDialog.title", recipe)}
          confirm={t("recipes.share.end")}
          onClose={() => setAsked(false)}
          onConfirm={() => {
            onEnd();
            mutate(recipe);
          }}
        >
          <Typography color="textSecondary">{t("recipes.share.endDialog.help")}</Typography>
        </ConfirmDialog>
      )}
    </>
  );
}
