import { Box } from "@mui/material";
import { useQueryClient } from "@tanstack/react-query";
import { systemClock } from "@terrarium/clock";
import type { Instance } from "@terrarium/contract";
import {
  type Recorded,
  pressMessage,
  releaseMessage,
  type OpenPlayer,
  OwnPointer,
  type Room,
} from "@terrarium/sdk/display";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { fetchCode } from "../../components/fetch-code.ts";
import { saveFile } from "../../components/save-file.ts";
import { snack } from "../../components/snack-queue.ts";
import { usePreference } from "../../components/use-preference.ts";
import { useTrouble } from "../../components/use-trouble.ts";
import { latestPicture } from "../../shared/miniatures/latest-pictures.ts";
import { turnedAs } from "../../shared/miniatures/turned.ts";
import { hearDevices } from "../../shared/hear-devices.ts";
import { showPointers } from "../../shared/show-pointers.ts";
import { RecordingMark } from "./RecordingMark.tsx";
import { ConnectionReadout } from "./ConnectionReadout.tsx";
import { DevicePicture } from "./DevicePicture.tsx";
import { DeviceStage } from "./DeviceStage.tsx";
import { DeviceToolbar } from "./DeviceToolbar.tsx";
import { gadgetList } from "./gadgets/gadget-list.ts";
import { More, moreRoom } from "./gadgets/More.tsx";
import { openPlayer as openRealPlayer } from "./open-player.ts";
import { screenshotName, screenshotOf } from "./screenshot.ts";
import { Pointers, type RoomPerson } from "./Pointers.tsx";
import { gadgetTools, type ToolName } from "./toolbar-items.ts";
import { type SideTool, sideTools } from "./tools/side-tools.ts";
import { screenReaderPreference } from "./ui-tree/screen-reader-preference.ts";
import { ScreenReaderSwitch } from "./ui-tree/ScreenReaderSwitch.tsx";
import { useUiTreeSource } from "./ui-tree/use-ui-tree.ts";
import { useDisplaySession } from "./use-display-session.ts";
import { useDisplayStatus } from "./use-display-status.ts";

const ReplayDialog = lazy(() => fetchCode(() => import("./replay/ReplayDialog.tsx")));
const DeviceTools = lazy(() => fetchCode(() => import("./tools/DeviceTools.tsx")));
const ScreenReaderTree = lazy(() => fetchCode(() => import("./ui-tree/ScreenReaderTree.tsx")));
const UiTreeMarks = lazy(() => fetchCode(() => import("./ui-tree/UiTreeMarks.tsx")));
const nobody: readonly RoomPerson[] = [];

interface Props {
  instance: Instance;
  /** Nothing that is done reaches the device. */
  isViewOnly?: boolean;
  /** It is one's own: its log, a shell, its files and apps can be opened beside it. */
  tools?: { onUpload: (files: readonly File[], folder: string) => void; arrived: number } | undefined;
  /** Who takes part, if others may, in an order that stays. */
  people?: readonly RoomPerson[] | undefined;
  /** Called at each change of who watches and who asks for control. */
  onRoom?: ((room: Room) => void) | undefined;
  openPlayer?: OpenPlayer;
}

/** A device that is there to touch: its picture, its buttons and how well they reach it. */
export function OnlineDisplay({
  instance,
  isViewOnly = false,
  tools,
  people = nobody,
  onRoom,
  openPlayer = openRealPlayer,
}: Props) {
  const { uuid, name, hardware_profile: hardware } = instance;
  const { t } = useTranslation();
  const trouble = useTrouble();
  // Which panel is open is in the address, so that a link leads to it; and which way the picture takes, to try that out.
  const [address, setAddress] = useSearchParams();
  const hearSent = useRef<(message: object) => void>(undefined);
  const session = useDisplaySession(instance, openPlayer, {
    detour: address.get("path") === "websocket" ? "asked" : undefined,
    onSent: (_, message) => hearSent.current?.(message),
  });
  const uiTree = useUiTreeSource(instance, session);
  useEffect(() => void (hearSent.current = (message) => uiTree.hear(message)), [uiTree]);
  const [isRead] = usePreference(screenReaderPreference);
  const phase = useDisplayStatus(session, "phase");
  const picture = useDisplayStatus(session, "picture");
  const capabilities = useDisplayStatus(session, "capabilities");
  const gadgets = useDisplayStatus(session, "gadgets");
  const here = useDisplayStatus(session, "people");
  const hands = useDisplayStatus(session, "hands");
  const declines = useDisplayStatus(session, "declines");
  const recordingSince = useDisplayStatus(session, "recordingSince");
  const recorded = useDisplayStatus(session, "recorded");
  const cache = useQueryClient();
  const [ownPointer] = useState(() => new OwnPointer(systemClock, (message) => session.send(message)));
  const [showsPointers] = usePreference(showPointers);
  const [isHeard, setHeard] = usePreference(hearDevices);
  useEffect(() => session.setSound(isHeard), [session, isHeard]);
  const [anchor, setAnchor] = useState<HTMLElement>();
  const send = (message: object) => session.send(message);
  const stage = useRef<HTMLDivElement>(null);
  const [toolbar, setToolbar] = useState<HTMLDivElement | null>(null);

  const equipment = {
    formFactor: hardware.form_factor,
    capabilities,
    isViewOnly,
    hasTools: tools !== undefined,
    isRecording: recordingSince !== undefined,
    isHeard,
  };
  const listed = gadgetTools(equipment, "more");
  const asked = address.getAll("tool");
  const side = tools ? sideTools.find((name) => asked.includes(name)) : undefined;
  const panels = [...listed, ...gadgetTools(equipment, "sensors")].filter(({ hasPanel }) => hasPanel);
  const open: ToolName | undefined =
    phase !== "live"
      ? undefined
      : asked.includes("more") && listed.length > 0
        ? "more"
        : panels.find(({ name }) => asked.includes(name))?.name;
  const hasReplay = tools !== undefined && asked.includes("replay");
  const show = (names: readonly (string | undefined)[]) => {
    // The folder that was looked at goes with the tools.
    const isBeside = sideTools.some((name) => names.includes(name));
    const others = [...address].filter(([name]) => name !== "tool" && (name !== "path" || isBeside));
    const wanted = names.flatMap((tool) => (tool === undefined ? [] : [["tool", tool]]));
    setAddress(new URLSearchParams([...others, ...wanted]), { replace: true, preventScrollReset: true });
  };
  const setOpen = (tool: ToolName | undefined) => show([side, tool]);
  const setSide = (tool: SideTool | undefined) => show([tool, open]);
  /** The button that a panel opens from; a link has pressed none. */
  const anchorOf = (tool: ToolName) => (open === tool ? (anchor ?? toolbar ?? undefined) : undefined);

  const reportRoom = useEffectEvent((now: Room) => onRoom?.(now));
  useEffect(() => {
    const send = (message: object) => session.send({ type: "ROOM", ...message });
    reportRoom({
      here: here ?? [],
      hands: hands ?? [],
      raise: (up) => send({ what: "hand", up }),
      decline: (user) => send({ what: "decline", user }),
    });
  }, [here, hands, session]);
  useEffect(() => {
    if (declines) snack("info", t("display.declined"));
  }, [declines, t]);

  // Its code and words come when they are needed.
  const capturing = () => fetchCode(() => import("./tools/capture.ts"));
  const showCaptures = () => setSide("captures");
  const capture = async (what: "screenshot" | "record" | "stop") =>
    (await capturing()).capture(what, { device: instance, t, cache, show: showCaptures });
  const sayEnd = useEffectEvent(async (end: Recorded) => {
    if (tools) (await capturing()).sayRecorded(end, { t, cache, show: showCaptures });
  });
  useEffect(() => {
    if (recorded) void sayEnd(recorded);
  }, [recorded]);

  const takeScreenshot = async () => {
    const blob = session.video && (await screenshotOf(session.video));
    trouble.takeBack();
    if (!blob) {
      trouble.say(t("display.screenshot.failed"));
      return;
    }
    saveFile(blob, screenshotName(name, systemClock.now()));
    snack("success", t("display.screenshot.done"));
  };
  const toggleFullScreen = async () => {
    try {
      await (document.fullscreenElement ? document.exitFullscreen() : stage.current?.requestFullscreen());
    } catch {
      trouble.say(t("display.fullScreenFailed"));
    }
  };
  const act = (tool: ToolName, anchor: HTMLElement) => {
    if (tool === "screenshot") void takeScreenshot();
    if (tool === "keepScreenshot") void capture("screenshot");
    if (tool === "record") void capture("record");
    if (tool === "stopRecording") void capture("stop");
    if (tool === "sound") setHeard(!isHeard);
    if (tool === "fullScreen") void toggleFullScreen();
    if (tool === "replay") show([side, open, "replay"]);
    if (tool === "tools") setSide(side ? undefined : sideTools[0]);
    const gadget = gadgetList.find((each) => each.name === tool);
    gadget?.act?.(send);
    if (!gadget?.panel && tool !== "more") return;
    setAnchor(anchor);
    setOpen(tool);
  };

  return (
    <Box sx={{ display: "flex", flex: 1, minWidth: 0, minHeight: 0, position: "relative" }}>
      <ScreenReaderSwitch />
      <DeviceStage
        ref={stage}
        picture={picture ?? turnedAs(hardware, latestPicture(uuid))}
        formFactor={hardware.form_factor}
        panel={open === "more" ? moreRoom(listed.length) : gadgetList.find((each) => each.name === open)?.panel?.size}
        sill={
          <>
            <RecordingMark since={recordingSince} />
            <ConnectionReadout session={session} device={hardware} />
          </>
        }
        toolbar={
          <>
            <DeviceToolbar
              ref={setToolbar}
              isLive={phase === "live"}
              equipment={equipment}
              open={open}
              areToolsOpen={side !== undefined}
              onAct={act}
              onKey={({ key }, isDown) => key && send(isDown ? pressMessage(key) : releaseMessage(key))}
            />
            {!isViewOnly && (
              <More anchor={anchorOf("more")} tools={listed} onChoose={setOpen} onClose={() => setOpen(undefined)} />
            )}
            {gadgetList.map(
              (each) =>
                each.panel &&
                !isViewOnly && (
                  <each.panel.Panel
                    key={each.name}
                    anchor={anchorOf(each.name)}
                    state={gadgets?.[each.name]}
                    send={send}
                    onClose={() => setOpen(undefined)}
                  />
                ),
            )}
          </>
        }
      >
        <DevicePicture
          session={session}
          name={name}
          isViewOnly={isViewOnly}
          onPoint={showsPointers && here && here.length > 1 ? (to) => ownPointer.move(to) : undefined}
          onLeave={() => toolbar?.focus()}
        />
        <Pointers session={session} people={people} />
        <Suspense>
          {side === "ui" && <UiTreeMarks source={uiTree} session={session} />}
          {isRead && <ScreenReaderTree source={uiTree} session={session} name={name} isViewOnly={isViewOnly} />}
        </Suspense>
      </DeviceStage>
      {hasReplay && (
        <Suspense>
          <ReplayDialog device={instance} onClose={() => show([side, open])} />
        </Suspense>
      )}
      {side && tools && (
        <Suspense>
          <DeviceTools
            device={instance}
            uiTree={uiTree}
            {...tools}
            tool={side}
            onChoose={setSide}
            onClose={() => {
              setSide(undefined);
              toolbar?.focus();
            }}
          />
        </Suspense>
      )}
    </Box>
  );
}
