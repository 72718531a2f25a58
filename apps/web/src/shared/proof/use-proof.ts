import "../../en/prove.ts";
import { useQuery } from "@tanstack/react-query";
import { required } from "@terrarium/contract";
import type { AppError } from "@terrarium/sdk";
import { useTranslation } from "react-i18next";
import { useAppForm } from "../../components/form/use-form.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../identities.queries.ts";

/** What is sent: no password if the account has none. */
export interface Proof {
  password?: string;
}

type Code = AppError["code"] | undefined;

/**
 * How somebody who is signed in proves again who they are, before something that whoever finds their browser must not do: by their password,
 * or, if the account has none, by having signed in just now. For forms that have a field `password`, among others or alone.
 */
export function useProof() {
  const { t } = useTranslation();
  const { uuid } = useMe();
  const { data, isError } = useQuery(identitiesOf(uuid));
  /** Undefined until it is known. Most have one, so it is asked for where that cannot be known. */
  const hasPassword = data?.has_password ?? (isError ? true : undefined);
  const known = hasPassword === undefined ? [() => ({ message: t("prove.wait") })] : [];
  return {
    hasPassword,
    rules: hasPassword ? [required] : known,
    of: (password: string): Proof => (hasPassword ? { password } : {}),
    /** What is said when it is refused; undefined if something else was. */
    refusalOf(code: Code) {
      if (code === "WRONG_PASSWORD") return { field: "password", says: t("prove.wrong") } as const;
      if (code === "SIGN_IN_AGAIN") return t("prove.again");
      return code === "TOO_MANY_REQUESTS" ? t("prove.tooMany") : undefined;
    },
  };
}

export interface ProofOptions {
  send: (proof: Proof) => Promise<unknown>;
  /** What else the service may refuse. */
  refusalOf: (code: Code) => string;
}

/** A form that asks for the proof alone. */
export function useProofForm({ send, refusalOf }: ProofOptions) {
  const proof = useProof();
  const form = useAppForm({
    initial: { password: "" },
    rules: { password: proof.rules },
    send: ({ password }) => send(proof.of(password)),
    refusalOf: (code) => proof.refusalOf(code) ?? refusalOf(code),
  });
  return { form, hasPassword: proof.hasPassword };
}
