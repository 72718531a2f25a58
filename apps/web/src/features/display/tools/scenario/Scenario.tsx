import "../../../../en/scenario.ts";
import { Box, Button, ButtonBase, InputBase, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { AppError, type ScenarioKind } from "@terrarium/contract";
import { type FileProblem, readScenario, writeScenario } from "@terrarium/sdk/scenario-file";
import type { TFunction } from "i18next";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import FolderOpen from "lucide-react/icons/folder-open";
import Play from "lucide-react/icons/play";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Icon } from "../../../../components/Icon.tsx";
import { saveFile } from "../../../../components/save-file.ts";
import { snack } from "../../../../components/snack-queue.ts";
import { ToolButton } from "../../../../components/ToolButton.tsx";
import { routeRules } from "../../../../session/routes.ts";
import { controls, foot, footWords, note } from "../tool-styles.ts";
import type { ToolDevice } from "../use-tool.ts";
import { changeScenario, isGoing, runScenario, scenarioQuery, takeRecorded } from "./scenario.queries.ts";
import { ScenarioSteps } from "./ScenarioSteps.tsx";

/** What a new file begins with. */
const EXAMPLE = `steps:
  - battery: { level: 80, charging: false }
  - after: 10s
    name: somebody calls
    call: { from: "+33612345678" }
  - after: 10s
    network: { profile: edge, signal: poor }
    battery: { level: 9 }
`;

/** Has things happen to a device over time, as a file says. */
export default function Scenario({ device }: { device: ToolDevice }) {
  const { t } = useTranslation();
  const { uuid } = device;
  const [text, setText] = useState(EXAMPLE);
  const [problems, setProblems] = useState<FileProblem[]>([]);
  const editor = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const problemsId = useId();
  const { data: run, error } = useQuery(scenarioQuery(uuid));
  const { mutate: start, error: refusal, isPending, reset } = useMutation(runScenario);
  const { mutate: change } = useMutation(changeScenario);
  const recorded = useMutation(takeRecorded);
  const isOn = isGoing(run);

  const write = (content: string) => {
    setText(content);
    setProblems([]);
    reset();
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    const content = await file.text().catch(() => undefined);
    if (content === undefined) snack("error", t("scenario.unreadable", { name: file.name }));
    else write(content);
  };
  const goTo = (line: number) => {
    const at =
      text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    editor.current?.focus();
    editor.current?.setSelectionRange(at, at + (text.slice(at).split("\n")[0]?.length ?? 0));
  };
  const begin = () => {
    const read = readScenario(text);
    setProblems(read.problems ?? []);
    if (read.problems) reset();
    else start({ uuid, scenario: read.scenario });
  };
  return (
    <>
      <Box sx={controls}>
        <Button size="small" startIcon={<Icon glyph={FolderOpen} />} onClick={() => chooser.current?.click()}>
          {t("scenario.open")}
        </Button>
        <Button
          size="small"
          disabled={recorded.isPending}
          onClick={() =>
            recorded.mutate(
              { uuid },
              {
                onSuccess: (scenario) =>
                  scenario ? write(writeScenario(scenario)) : snack("info", t("scenario.nothingRecorded")),
              },
            )
          }
        >
          {t("scenario.recorded")}
        </Button>
        <Box sx={{ flex: 1 }} />
        <ToolButton
          label={t("scenario.download")}
          glyph={ArrowDownToLine}
          onClick={() => saveFile(new Blob([text], { type: "application/yaml" }), `${device.name}-scenario.yaml`)}
        />
        <input
          ref={chooser}
          type="file"
          accept=".yaml,.yml,.json"
          hidden
          aria-label={t("scenario.open")}
          onChange={({ target }) => {
            void open(target.files?.[0]);
            target.value = "";
          }}
        />
      </Box>
      {run && <ScenarioSteps run={run} />}
      {error && (
        <Typography role="alert" sx={note}>
          {t("scenario.unknown")}
        </Typography>
      )}
      <InputBase
        multiline
        inputRef={editor}
        value={text}
        onChange={({ target }) => write(target.value)}
        inputProps={{
          "aria-label": t("scenario.label", { name: device.name }),
          "aria-invalid": problems.length > 0,
          "aria-describedby": problems.length > 0 ? problemsId : undefined,
          spellCheck: false,
          autoCapitalize: "off",
          wrap: "off",
        }}
        sx={paper}
      />
      {(problems.length > 0 || refusal) && (
        <Box role="alert" id={problemsId} sx={wrong}>
          {problems.map(({ line, message }, index) => (
            <ButtonBase key={index} onClick={() => goTo(line)} sx={problem}>
              <Typography variant="caption" sx={{ flex: "none", minWidth: 52, fontWeight: 600 }}>
                {t("scenario.line", { line })}
              </Typography>
              <Typography variant="body2" sx={{ overflowWrap: "anywhere" }}>
                {message}
              </Typography>
            </ButtonBase>
          ))}
          {refusal && (
            <Typography variant="body2" sx={{ padding: "6px 16px" }}>
              {sayRefusal(t, refusal)}
            </Typography>
          )}
        </Box>
      )}
      <Box sx={foot}>
        <Box sx={footWords}>
          <Button size="small" variant="text" component={Link} to={`${routeRules.docs.path}/scenarios`} target="_blank">
            {t("scenario.help")}
          </Button>
        </Box>
        {isOn ? (
          <>
            <Button
              size="small"
              onClick={() => change({ uuid, status: run.status === "paused" ? "running" : "paused" })}
            >
              {t(run.status === "paused" ? "scenario.resume" : "scenario.pause")}
            </Button>
            <Button size="small" onClick={() => change({ uuid, status: "stopped" })}>
              {t("scenario.stop")}
            </Button>
          </>
        ) : (
          <Button
            size="small"
            variant="contained"
            color="primary"
            startIcon={<Icon glyph={Play} />}
            disabled={isPending || text.trim() === ""}
            onClick={begin}
          >
            {t("scenario.start")}
          </Button>
        )}
      </Box>
    </>
  );
}

/** Why a scenario was not run, in words. */
function sayRefusal(t: TFunction, error: Error): string {
  if (!(error instanceof AppError)) return t("scenario.failed");
  if (error.code !== "SCENARIO_NOT_POSSIBLE") return error.message;
  const { step = "", name, kind: lacking = "" } = error.details ?? {};
  const kind = t(`scenario.kinds.${lacking as ScenarioKind}`);
  return name === undefined ? t("scenario.lacks", { step, kind }) : t("scenario.lacksNamed", { step, name, kind });
}

const paper = {
  flex: 1,
  minHeight: 120,
  alignItems: "flex-start",
  overflow: "auto",
  padding: "12px 16px",
  typography: "mono",
  bgcolor: "background.sunken",
  borderTop: "1px solid",
  borderColor: "divider",
  "& textarea": { whiteSpace: "pre" },
};
const wrong = { flex: "none", maxHeight: "30%", overflowY: "auto", py: "4px", color: "error.main" };
const problem = {
  display: "flex",
  justifyContent: "flex-start",
  alignItems: "baseline",
  gap: "12px",
  width: "100%",
  textAlign: "start",
  px: "16px",
  minHeight: 32,
};
