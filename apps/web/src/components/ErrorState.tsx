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
}

/** Something did not load: what is safe, a way to try again, and what support will ask for. */
export function ErrorState({ title, help, error, onRetry }: Props) {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <EmptyState title={title} help={help} drawing={<TiltedCloche />}>
        <Button variant="contained" color="primary" onClick={onRetry}>
          <Icon glyph={RefreshCw} />
          {t("common.tryAgain")}
        </Button>
        {error instanceof AppError && (
          <Typography variant="mono" component="p" color="textSecondary" sx={{ width: "100%", m: 0, mt: 2 }}>
            {error.status} {error.code}
            {error.requestId !== undefined && ` · ${t("errors.page.request", { id: error.requestId })}`}
          </Typography>
        )}
      </EmptyState>
    </div>
  );
}
