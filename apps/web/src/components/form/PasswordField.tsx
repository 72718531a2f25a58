import { IconButton, InputAdornment } from "@mui/material";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../Icon.tsx";
import { type FieldProps, TextField } from "./TextField.tsx";

interface Props<Values extends object> extends FieldProps<Values> {
  /** Tells password managers whether to fill in the one they have or to offer another. */
  autoComplete: "current-password" | "new-password";
  reservesLine?: boolean;
}

/** A password, which can be looked at while one types it. */
export function PasswordField<Values extends object>(props: Props<Values>) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? "text" : "password"}
      endAdornment={
        <InputAdornment position="end">
          <IconButton
            size="small"
            edge="end"
            aria-label={t(isShown ? "common.form.hidePassword" : "common.form.showPassword")}
            onClick={() => setShown(!isShown)}
          >
            <Icon glyph={isShown ? EyeOff : Eye} />
          </IconButton>
        </InputAdornment>
      }
    />
  );
}
