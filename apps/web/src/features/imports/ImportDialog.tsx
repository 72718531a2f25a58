import "../../en/imports.ts";
import { Alert, Box, Button, DialogActions, DialogContent, LinearProgress, Link, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { type ImportResult, importKinds, limits } from "@terrarium/contract";
import Download from "lucide-react/icons/download";
import FileUp from "lucide-react/icons/file-up";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { FileDrop } from "../../components/FileDrop.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { Icon } from "../../components/Icon.tsx";
import { useMe } from "../../session/user.ts";
import { saveReport, saveTemplate, whyNoImport } from "./import-file.ts";
import { ImportedLines } from "./ImportedLines.tsx";
import {
  BrokenOff,
  importUsers,
  type Importing,
  megabytes,
  sayFault,
  sayImportError,
  tryImport,
} from "./imports.queries.ts";

interface Props {
  /** A group for the example in the template. */
  group: string;
  onClose: () => void;
}

/** Puts users into groups by a file: shows what it would change, then does it, and shows the result. */
export function ImportDialog({ group, onClose }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const [file, setFile] = useState<File>();
  const [fault, setFault] = useState<ReturnType<typeof whyNoImport>>();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const stopped = useRef<AbortController>(undefined);
  useEffect(() => () => stopped.current?.abort(), []);
  const check = useMutation(tryImport);
  const run = useMutation(importUsers);
  const form = useAppForm({ initial: { createsGroups: false }, send: async () => undefined, refusalOf: () => "" });
  const { createsGroups } = useValues(form);
  const picker = useRef<HTMLInputElement>(null);
  const pick = () => picker.current?.click();

  const asking = (of: File, creates = createsGroups): Importing => {
    setProgress(undefined);
    stopped.current?.abort();
    const { signal } = (stopped.current = new AbortController());
    const onProgress = (done: number, total: number) => setProgress({ done, total });
    return { organization: me.organization?.uuid ?? "", file: of, createsGroups: creates, signal, onProgress };
  };
  const choose = (files: readonly File[]) => {
    if (run.isPending) return;
    run.reset();
    check.reset();
    const why = whyNoImport(files);
    const [chosen] = why ? [] : files;
    setFault(why);
    setFile(chosen);
    if (chosen) check.mutate(asking(chosen));
  };

  const step = (() => {
    if (file && run.data) return <Outcome result={run.data} isDone onClose={onClose} />;
    if (file && (run.isPending || check.isPending))
      return (
        <Waiting
          name={file.name}
          isDoing={run.isPending}
          progress={progress}
          onStop={run.isPending ? () => stopped.current?.abort() : onClose}
        />
      );
    if (file && check.data && !run.error)
      return (
        <Outcome
          result={check.data}
          onClose={onClose}
          onOther={pick}
          onConfirm={() => run.mutate(asking(file))}
          choice={<CreateGroups form={form} onChange={(creates) => check.mutate(asking(file, creates))} />}
        />
      );
    const error = run.error ?? check.error;
    return (
      <>
        <DialogContent>
          {(fault ?? error) && (
            <Alert severity="error" sx={{ mb: 4 }}>
              {fault ? sayFault(t, fault) : sayImportError(t, error)}
              {error instanceof BrokenOff && progress && <p>{t("imports.reached", progress)}</p>}
            </Alert>
          )}
          <Typography color="textSecondary">{t("imports.lead")}</Typography>
          <Box sx={zone}>
            <Button variant="contained" color="primary" ref={focusWhenShown} onClick={pick}>
              <Icon glyph={FileUp} />
              {t(file ? "imports.chooseOther" : "imports.choose")}
            </Button>
            {file && error && (
              <Button onClick={() => (run.reset(), check.mutate(asking(file)))}>{t("common.tryAgain")}</Button>
            )}
          </Box>
          <CreateGroups form={form} />
          <Typography variant="caption" component="p" sx={{ mt: 3, color: "text.tertiary" }}>
            {t("imports.rules", { lines: limits.importLines, megabytes })}
          </Typography>
          <Link
            component="button"
            variant="body2"
            sx={{ mt: 2 }}
            onClick={() => saveTemplate({ email: me.email, group })}
          >
            {t("imports.template")}
          </Link>
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={onClose}>
            {t("common.cancel")}
          </Button>
        </DialogActions>
      </>
    );
  })();

  return (
    // While it runs, only its button stops it: a stray press would, and nobody would learn what was done.
    <AppDialog isLarge width={560} title={t("imports.title")} onClose={() => run.isPending || onClose()}>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t("imports.file")}
        accept={importKinds.map((kind) => `.${kind}`).join(",")}
        onChange={({ target }) => {
          const files = Array.from(target.files ?? []);
          // The same file can be chosen again, when it was changed.
          target.value = "";
          if (files.length > 0) choose(files);
        }}
      />
      <FileDrop title={t("imports.drop.title")} help={t("imports.drop.help")} onFiles={choose} />
      {step}
    </AppDialog>
  );
}

function CreateGroups(
  props: Pick<Parameters<typeof CheckboxField<{ createsGroups: boolean }>>[0], "form" | "onChange">,
) {
  const { t } = useTranslation();
  return (
    <CheckboxField
      {...props}
      name="createsGroups"
      label={t("imports.createGroups")}
      help={t("imports.createGroupsHelp")}
    />
  );
}

interface WaitingProps {
  name: string;
  isDoing: boolean;
  progress: { done: number; total: number } | undefined;
  onStop: () => void;
}

function Waiting({ name, isDoing, progress, onStop }: WaitingProps) {
  const { t } = useTranslation();
  return (
    <>
      <DialogContent>
        <Typography component="p" aria-live="polite" sx={{ mb: 3, overflowWrap: "anywhere" }}>
          {t(isDoing ? "imports.importing" : "imports.checking", { name })}
        </Typography>
        <LinearProgress
          aria-label={t("imports.progress")}
          {...(progress ? { variant: "determinate", value: (100 * progress.done) / progress.total } : {})}
        />
        <Typography variant="body2" sx={{ mt: 3, color: "text.tertiary" }}>
          {progress ? t("imports.reached", progress) : t("imports.sending")}
        </Typography>
        {isDoing && (
          <Typography variant="body2" sx={{ mt: 1, color: "text.tertiary" }}>
            {t("imports.stops")}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button ref={focusWhenShown} onClick={onStop}>
          {t(isDoing ? "imports.stop" : "common.cancel")}
        </Button>
      </DialogActions>
    </>
  );
}

interface OutcomeProps {
  result: ImportResult;
  isDone?: boolean;
  /** What can still be chosen. */
  choice?: React.ReactNode;
  onConfirm?: () => void;
  onOther?: () => void;
  onClose: () => void;
}

/** What an import would come to, or came to. */
function Outcome({ result, isDone = false, choice, onConfirm, onOther, onClose }: OutcomeProps) {
  const { t } = useTranslation();
  const canConfirm = !isDone && result.added > 0;
  return (
    <>
      <DialogContent>
        <ImportedLines result={result} isDone={isDone} />
        {choice && <Box sx={{ mt: 4 }}>{choice}</Box>}
      </DialogContent>
      <DialogActions sx={{ flexWrap: "wrap" }}>
        <Button variant="text" onClick={() => saveReport(result.report)}>
          <Icon glyph={Download} />
          {t("imports.report")}
        </Button>
        {onOther && (
          <Button ref={canConfirm ? undefined : focusWhenShown} onClick={onOther}>
            {t("imports.chooseOther")}
          </Button>
        )}
        {isDone && (
          <Button variant="contained" color="primary" ref={focusWhenShown} onClick={onClose}>
            {t("imports.finish")}
          </Button>
        )}
        {canConfirm && (
          <Button variant="contained" color="primary" ref={focusWhenShown} onClick={onConfirm}>
            {t("imports.confirm", { count: result.added })}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

const zone = {
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "center",
  gap: 2,
  my: 4,
  p: 6,
  borderRadius: "10px",
  border: "1px dashed",
  borderColor: "outline",
} as const;
