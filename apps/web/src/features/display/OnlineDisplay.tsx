import { useQueryClient } from "@tanstack/react-query";
import { systemClock } from "@terrarium/clock";
import type { Instance } from "@terrarium/contract";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { snack } from "../../components/snack-queue.ts";
import { useTrouble } from "../../components/use-trouble.ts";
import { batteryMessage } from "./battery.ts";
import { BATTERY_ROOM, BatteryPopover } from "./BatteryPopover.tsx";
import { ConnectionReadout } from "./ConnectionReadout.tsx";
import { pressMessage, releaseMessage, rotateMessage } from "./device-keys.ts";
import { DevicePicture } from "./DevicePicture.tsx";
import { DeviceStage } from "./DeviceStage.tsx";
import { DeviceToolbar } from "./DeviceToolbar.tsx";
import { accessToken, instanceQuery } from "./display.queries.ts";
import { DisplaySession } from "./display-session.ts";
import { type OpenPlayer, openPlayer as openRealPlayer } from "./player.ts";
import { download, screenshotName, screenshotOf } from "./screenshot.ts";
import type { ToolName } from "./toolbar-items.ts";
import { useDisplayStatus } from "./use-display-status.ts";

interface Props {
  instance: Instance;
  openPlayer?: OpenPlayer;
}

/** A device that is there to touch: its picture, its buttons and how well they reach it. */
export function OnlineDisplay({ instance, openPlayer = openRealPlayer }: Props) {
  const { uuid, name, webrtc_url: webrtcUrl, hardware_profile: hardware } = instance;
  const { t } = useTranslation();
  const queries = useQueryClient();
  const trouble = useTrouble();
  const [session] = useState(
    () =>
      new DisplaySession({
        webrtcUrl,
        accessToken: (signal) => accessToken(uuid, signal),
        openPlayer,
        clock: systemClock,
      }),
  );
  const phase = useDisplayStatus(session, "phase");
  const picture = useDisplayStatus(session, "picture");
  const capabilities = useDisplayStatus(session, "capabilities");
  const battery = useDisplayStatus(session, "battery");
  const [batteryAnchor, setBatteryAnchor] = useState<HTMLElement>();
  const stage = useRef<HTMLDivElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);

  // The service knows why there is nothing to come back to; the page then says it.
  useEffect(() => {
    if (phase === "ended") void queries.invalidateQueries({ queryKey: instanceQuery(uuid).queryKey });
  }, [phase, queries, uuid]);

  const takeScreenshot = async () => {
    const blob = session.video && (await screenshotOf(session.video));
    trouble.takeBack();
    if (!blob) {
      trouble.say(t("display.screenshot.failed"));
      return;
    }
    download(blob, screenshotName(name, systemClock.now()));
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
    if (tool === "rotate") session.send(rotateMessage);
    if (tool === "screenshot") void takeScreenshot();
    if (tool === "fullScreen") void toggleFullScreen();
    if (tool === "battery") setBatteryAnchor(anchor);
  };

  return (
    <DeviceStage
      ref={stage}
      picture={picture ?? hardware}
      formFactor={hardware.form_factor}
      panel={batteryAnchor && BATTERY_ROOM}
      sill={<ConnectionReadout session={session} />}
      toolbar={
        <>
          <DeviceToolbar
            ref={toolbar}
            isLive={phase === "live"}
            capabilities={capabilities}
            open={batteryAnchor && "battery"}
            onAct={act}
            onKey={({ key }, isDown) => key && session.send(isDown ? pressMessage(key) : releaseMessage(key))}
          />
          <BatteryPopover
            anchor={batteryAnchor}
            battery={battery}
            onChange={(wanted) => session.send(batteryMessage(wanted))}
            onClose={() => setBatteryAnchor(undefined)}
          />
        </>
      }
    >
      <DevicePicture session={session} name={name} onLeave={() => toolbar.current?.focus()} />
    </DeviceStage>
  );
}
