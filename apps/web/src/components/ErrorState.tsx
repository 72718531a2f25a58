import { Button, Typography } from "@mui/material";
import { AppError } from "@terrarium/sdk";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useTranslation } from "react-i18next";
import { TiltedCloche } from "./drawings.tsx";
import { EmptyState } from "./EmptyState.tsx";
import { Icon } from "./Icon.tsx";

interface Props {
  title: string;
  /** What is safe, and what to do. */
  help: string;
  error: Error | null;
  onRetry: () => void;
  /** It stands in one of several cards, which may all say so. */
  isSmall?: boolean;
}

/** Something did not load: what is safe, a way to try again, and what support will ask for. */
export function ErrorState({ title, help, error, onRetry, isSmall = false }: Props) {
  const { t } = useTranslation();
  const retry = (
    <Button onClick={onRetry} {...(!isSmall && { variant: "contained", color: "primary" })}>
      <Icon glyph={RefreshCw} />
      {t("common.tryAgain")}
    </Button>
  );
  const code = error instanceof AppError && (
    <Typography variant="mono" component="p" color="textSecondary" sx={{ width: "100%", m: 0, mt: 2 }}>
      {error.status} {error.code}
      {error.requestId !== undefined && ` · ${t("errors.page.request", { id: error.requestId })}`}
    </Typography>
  );
  if (isSmall)
    return (
      <div role="alert">
        <Typography variant="h3">{title}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mb: 3 }}>
          {help}
        </Typography>
        {retry}
        {code}
      </div>
    );
  return (
    <div role="alert">
      <EmptyState title={title} help={help} drawing={<TiltedCloche />}>
        {retry}
        {code}
      </EmptyState>
    </div>
  );
}
