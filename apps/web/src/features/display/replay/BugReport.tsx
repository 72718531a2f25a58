import { Box, Button, Typography } from "@mui/material";
import type { Instance, ReplayStory } from "@terrarium/contract";
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../../components/AppDialog.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { saveFile } from "../../../components/save-file.ts";
import { TextInput } from "../../../components/TextInput.tsx";
import { useCopy } from "../../../components/use-copy.ts";
import { bugReport } from "./bug-report.ts";

interface Props {
  device: Instance;
  story: ReplayStory;
  /** Names a file of this replay. */
  named: (ending: string) => string;
  onClose: () => void;
}

/** A replay as Markdown, which can be changed before it is copied. */
export function BugReport({ device, story, named, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => bugReport({ device, story, file: named("mp4") }, t));
  const { isCopied, copy } = useCopy();
  return (
    <AppDialog
      isLarge
      width={720}
      title={t("replay.bug.title")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => saveFile(new Blob([text], { type: "text/markdown" }), named("md"))}>
            {t("replay.bug.download")}
          </Button>
          <Button variant="contained" color="primary" onClick={() => copy(text)}>
            <Icon glyph={isCopied ? Check : Copy} />
            <span aria-live="polite">{isCopied ? t("common.copied") : t("replay.bug.copy")}</span>
          </Button>
        </>
      }
    >
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {t("replay.bug.help")}
      </Typography>
      <Box sx={{ "& textarea": { typography: "mono" } }}>
        <TextInput
          label={t("replay.bug.label")}
          multiline
          minRows={8}
          maxRows={20}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Box>
    </AppDialog>
  );
}
