import { Box, Button, Skeleton, Typography } from "@mui/material";
import type { TotpSetup } from "@terrarium/contract";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { fetchCode } from "../../components/fetch-code.ts";
import { Icon } from "../../components/Icon.tsx";
import { useCopy } from "../../components/use-copy.ts";

const QrCode = lazy(() => fetchCode(() => import("./QrCode.tsx")));

/** The key of an authenticator app, to scan or to type. */
export function AppKey({ setup: { secret, url } }: { setup: TotpSetup }) {
  const { t } = useTranslation();
  const { isCopied, copy } = useCopy();
  return (
    <>
      <Typography color="textSecondary">{t("secondFactor.setUp.scan")}</Typography>
      <Box sx={{ display: "flex", justifyContent: "center", "& img": { borderRadius: "8px" } }}>
        <Suspense fallback={<Skeleton variant="rounded" width={208} height={208} />}>
          <QrCode text={url} label={t("secondFactor.setUp.qr")} />
        </Suspense>
      </Box>
      <div>
        <Typography variant="label" component="div">
          {t("secondFactor.setUp.key")}
        </Typography>
        <Box sx={{ display: "flex", alignItems: "center", gap: 3, mt: 1 }}>
          <Box component="code" sx={{ typography: "mono", flex: 1, wordSpacing: "0.25em" }}>
            {(secret.match(/.{1,4}/g) ?? []).join(" ")}
          </Box>
          <Button size="small" aria-label={t("secondFactor.setUp.copy")} onClick={() => copy(secret)}>
            <Icon glyph={isCopied ? Check : Copy} size={16} />
            <span aria-live="polite">{isCopied ? t("common.copied") : t("secondFactor.keep.copy")}</span>
          </Button>
        </Box>
      </div>
    </>
  );
}
