import "../../en/second-factor.ts";
import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import KeyRound from "lucide-react/icons/key-round";
import ScanFace from "lucide-react/icons/scan-face";
import Smartphone from "lucide-react/icons/smartphone";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { longDate } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { snack } from "../../components/snack-queue.ts";
import { client } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { listRow } from "../../shared/row-list.ts";
import { ProofDialog } from "../../shared/proof/ProofDialog.tsx";
import { SaveCodesDialog } from "../../shared/recovery-codes/SaveCodesDialog.tsx";
import { secondFactorRefusalKey } from "./refusal.ts";
import { secondFactorsOf } from "./second-factor.queries.ts";
import { SetUpDialog } from "./SetUpDialog.tsx";

/** The second factor of whoever is signed in, and the ways to change it. */
export function SecondFactor() {
  const { t } = useTranslation();
  const { uuid, organization } = useMe();
  const cache = useQueryClient();
  const [open, setOpen] = useState<"setUp" | "turnOff" | "renew">();
  const [codes, setCodes] = useState<string[]>([]);
  const shown = useRef<HTMLDivElement>(null);
  const { data: factors, error, refetch } = useQuery(secondFactorsOf(uuid));
  if (error && !factors)
    return (
      <ErrorState
        {...t("secondFactor.broken", { returnObjects: true })}
        error={error}
        onRetry={() => void refetch()}
        isSmall
      />
    );
  if (!factors)
    return (
      <Delayed>
        <Skeleton variant="rounded" height={96} component="output" aria-label={t("secondFactor.loading")} />
      </Delayed>
    );
  const { totp, has_passkey, recovery_codes: left, is_required } = factors;
  const close = () => setOpen(undefined);
  /** Shows new recovery codes, or closes what is open. The codes wait for nothing: they are shown this once. */
  const done = (fresh: string[]) => {
    // A dialog gives the focus back to what opened it, which may be gone soon.
    flushSync(() => {
      close();
      setCodes(fresh);
    });
    if (fresh.length === 0) shown.current?.focus();
    void cache.invalidateQueries({ queryKey: secondFactorsOf(uuid).queryKey });
  };
  const params = { uuid };
  return (
    <Box ref={shown} tabIndex={-1} sx={{ display: "grid", gap: 4, justifyItems: "start", outline: 0 }}>
      {is_required && (
        <Typography sx={{ overflowWrap: "anywhere" }}>
          {organization
            ? t("secondFactor.required", { name: organization.name })
            : t("secondFactor.requiredOfOperators")}
        </Typography>
      )}
      {totp || has_passkey ? (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", width: "100%" }}>
          {totp && (
            <Box component="li" sx={row}>
              <Icon glyph={Smartphone} size={24} />
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography sx={{ fontWeight: 550 }}>{t("secondFactor.app")}</Typography>
                <Typography variant="caption" sx={{ color: "text.tertiary" }}>
                  {t("secondFactor.appSince", { date: longDate(totp.created_at, "") })}
                  {totp.last_used_at && (
                    <>
                      , {t("secondFactor.appUsed")} <RelativeTime time={totp.last_used_at} />
                    </>
                  )}
                </Typography>
              </Box>
              <Button aria-label={t("secondFactor.turnOff.openNamed")} onClick={() => setOpen("turnOff")}>
                {t("secondFactor.turnOff.open")}
              </Button>
            </Box>
          )}
          {has_passkey && (
            <Box component="li" sx={row}>
              <Icon glyph={ScanFace} size={24} />
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography sx={{ fontWeight: 550 }}>{t("secondFactor.passkey")}</Typography>
                <Typography variant="caption" sx={{ color: "text.tertiary" }}>
                  {t("secondFactor.passkeyWhere")}
                </Typography>
              </Box>
            </Box>
          )}
          <Box component="li" sx={row}>
            <Icon glyph={KeyRound} size={24} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography sx={{ fontWeight: 550 }}>{t("secondFactor.codes")}</Typography>
              <Typography variant="caption" sx={{ color: left < 3 ? "error.main" : "text.tertiary" }}>
                {left === 0 ? t("secondFactor.codesNone") : t("secondFactor.codesLeft", { count: left })}
              </Typography>
            </Box>
            <Button onClick={() => setOpen("renew")}>{t("secondFactor.renew.open")}</Button>
          </Box>
        </Box>
      ) : (
        <Typography color="textSecondary">{t("secondFactor.off")}</Typography>
      )}
      {!totp && (
        <Button variant="outlined" onClick={() => setOpen("setUp")}>
          {t("secondFactor.setUp.open")}
        </Button>
      )}
      {open === "setUp" && <SetUpDialog onClose={close} onDone={done} />}
      {open === "turnOff" && (
        <ProofDialog
          title={t("secondFactor.turnOff.title")}
          text={t(has_passkey ? "secondFactor.turnOff.proofWithPasskey" : "secondFactor.turnOff.proof")}
          submit={t("secondFactor.turnOff.open")}
          isDestructive
          refusalOf={(code) => t(secondFactorRefusalKey(code))}
          send={async (proof) => {
            await client.secondFactor.removeTotp({ params, body: proof });
            snack("success", t("secondFactor.turnOff.done"));
            done([]);
          }}
          onClose={close}
        />
      )}
      {open === "renew" && (
        <ProofDialog
          title={t("secondFactor.renew.title")}
          text={t("secondFactor.renew.proof")}
          submit={t("secondFactor.renew.submit")}
          refusalOf={(code) => t(secondFactorRefusalKey(code))}
          send={async (proof) => done((await client.secondFactor.renewCodes({ params, body: proof })).recovery_codes)}
          onClose={close}
        />
      )}
      {codes.length > 0 && <SaveCodesDialog codes={codes} onDone={() => done([])} />}
    </Box>
  );
}

const row = { ...listRow, py: 3, flexWrap: { xs: "wrap", sm: "nowrap" } } as const;
