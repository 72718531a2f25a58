import { Button } from "@mui/material";
import KeyRound from "lucide-react/icons/key-round";
import LoaderCircle from "lucide-react/icons/loader-circle";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";

interface Props {
  /** While the browser asks, it cannot be pressed. */
  isAsking: boolean;
  isPrimary?: boolean;
  onPress: () => void;
  children: string;
}

/** Has the browser ask for a passkey. */
export function AskButton({ isAsking, isPrimary = false, onPress, children }: Props) {
  const { t } = useTranslation();
  return (
    <Button
      {...(isPrimary ? { variant: "contained", color: "primary" } : { variant: "outlined" })}
      size="large"
      aria-disabled={isAsking || undefined}
      startIcon={<Icon glyph={isAsking ? LoaderCircle : KeyRound} spins={isAsking} />}
      onClick={() => !isAsking && onPress()}
    >
      {isAsking ? t("passkeys.signIn.busy") : children}
    </Button>
  );
}
