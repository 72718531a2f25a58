import { useQueryClient } from "@tanstack/react-query";
import { systemClock } from "@terrarium/clock";
import type { Instance } from "@terrarium/contract";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { snack } from "../../components/snack-queue.ts";
import { useTrouble } from "../../components/use-trouble.ts";
import { accessToken } from "../../shared/access-token.ts";
import { latestPicture } from "../../shared/miniatures/latest-pictures.ts";
import { turnedAs } from "../../shared/miniatures/turned.ts";
import { ConnectionReadout } from "./ConnectionReadout.tsx";
import { pressMessage, releaseMessage } from "./device-keys.ts";
import { DevicePicture } from "./DevicePicture.tsx";
import { DeviceStage } from "./DeviceStage.tsx";
import { DeviceToolbar } from "./DeviceToolbar.tsx";
import { instanceQuery } from "./display.queries.ts";
import { DisplaySession } from "./display-session.ts";
import { gadgetList } from "./gadgets/gadget-list.ts";
import { type OpenPlayer, openPlayer as openRealPlayer } from "./player.ts";
import { download, screenshotName, screenshotOf } from "./screenshot.ts";
import type { ToolName } from "./toolbar-items.ts";
import { useDisplayStatus } from "./use-display-status.ts";

interface Props {
  instance: Instance;
  /** Nothing that is done reaches the device. */
  isViewOnly?: boolean;
  /** Told who watches, by their uuids. */
  onPeople?: ((people: readonly string[]) => void) | undefined;
  openPlayer?: OpenPlayer;
}

/** A device that is there to touch: its picture, its buttons and how well they reach it. */
export function OnlineDisplay({ instance, isViewOnly = false, onPeople, openPlayer = openRealPlayer }: Props) {
  const { uuid, name, webrtc_url: webrtcUrl, hardware_profile: hardware } = instance;
  const { t } = useTranslation();
  const queries = useQueryClient();
  const trouble = useTrouble();
  const [session] = useState(
    () =>
      new DisplaySession({
        webrtcUrl,
        poster: () => latestPicture(uuid),
        accessToken: (signal) => accessToken(uuid, signal),
        openPlayer,
        clock: systemClock,
      }),
  );
  const phase = useDisplayStatus(session, "phase");
  const picture = useDisplayStatus(session, "picture");
  const capabilities = useDisplayStatus(session, "capabilities");
  const gadgets = useDisplayStatus(session, "gadgets");
  const people = useDisplayStatus(session, "people");
  const [open, setOpen] = useState<{ tool: ToolName; anchor: HTMLElement }>();
  const send = (message: object) => session.send(message);
  const stage = useRef<HTMLDivElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);

  // The service knows why there is nothing to come back to; the page then says it.
  useEffect(() => {
    if (phase === "ended") void queries.invalidateQueries({ queryKey: instanceQuery(uuid).queryKey });
  }, [phase, queries, uuid]);

  const tellPeople = useEffectEvent((now: readonly string[]) => onPeople?.(now));
  useEffect(() => tellPeople(people ?? []), [people]);

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
    if (tool === "screenshot") void takeScreenshot();
    if (tool === "fullScreen") void toggleFullScreen();
    const gadget = gadgetList.find((each) => each.name === tool);
    gadget?.act?.(send);
    if (gadget?.panel) setOpen({ tool, anchor });
  };

  return (
    <DeviceStage
      ref={stage}
      picture={picture ?? turnedAs(hardware, latestPicture(uuid))}
      formFactor={hardware.form_factor}
      panel={gadgetList.find((each) => each.name === open?.tool)?.panel?.size}
      sill={<ConnectionReadout session={session} device={hardware} />}
      toolbar={
        <>
          <DeviceToolbar
            ref={toolbar}
            isLive={phase === "live"}
            equipment={{ formFactor: hardware.form_factor, capabilities, isViewOnly }}
            open={open?.tool}
            onAct={act}
            onKey={({ key }, isDown) => key && send(isDown ? pressMessage(key) : releaseMessage(key))}
          />
          {gadgetList.map(
            (each) =>
              each.panel && (
                <each.panel.Panel
                  key={each.name}
                  anchor={open?.tool === each.name ? open.anchor : undefined}
                  state={gadgets?.[each.name]}
                  send={send}
                  onClose={() => setOpen(undefined)}
                />
              ),
          )}
        </>
      }
    >
      <DevicePicture session={session} name={name} isViewOnly={isViewOnly} onLeave={() => toolbar.current?.focus()} />
    </DeviceStage>
  );
}
