import { emptyRoom, type Room } from "@terrarium/sdk/display";
import "../../en/apps.ts";
import "../../en/display.ts";
import "../../en/uploads.ts";
import { Box, Button } from "@mui/material";
import { keyframes } from "@mui/material/styles";
import { useMutation, useQuery } from "@tanstack/react-query";
import { activeStates, AppError, type Instance, type Recipe, statesThatTake, type User } from "@terrarium/contract";
import Hand from "lucide-react/icons/hand";
import Users from "lucide-react/icons/users";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate, useParams, useSearchParams } from "react-router";
import { FileDrop } from "../../components/FileDrop.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { Icon } from "../../components/Icon.tsx";
import { useRetainedFocus } from "../../components/use-retained-focus.ts";
import { useTitle } from "../../components/use-title.ts";
import { type Me, meOf, useSession } from "../../session/user.ts";
import { launchpad } from "../../session/routes.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { mailToOwner, mayStop } from "../instances/device-actions.ts";
import { SaveDialog } from "../instances/SaveDialog.tsx";
import { whyNotSavable } from "../instances/save-rules.ts";
import { capturePage } from "../../shared/captures/captures.queries.ts";
import { isOneApp, pickApp } from "../../shared/apps/app-file.ts";
import { liveSessionAddress } from "../../shared/live-sessions.ts";
import { StopDialog } from "../../shared/StopDialog.tsx";
import { stopDevices } from "../../shared/instances.queries.ts";
import { sessionOfDevice } from "../live-sessions/live-sessions.queries.ts";
import { membersOf, peopleOf } from "../live-sessions/live-session-list.tsx";
import { useHandNotices } from "../live-sessions/use-hand-notices.ts";
import { StartDialog } from "../recipes/StartDialog.tsx";
import { extendDevice, instanceQuery, recipeQuery } from "./display.queries.ts";
import { DisplayHeader } from "./DisplayHeader.tsx";
import { ColleagueDisplay, EndingDisplay, RefusedDisplay } from "./DisplayNotice.tsx";
import { FileTray } from "./FileTray.tsx";
import { OnlineDisplay } from "./OnlineDisplay.tsx";
import { endedRecipeOf, isIdentifier, refusalOf, stageOf } from "./refusal.ts";
import type { RoomPerson } from "./Pointers.tsx";
import { SillStage } from "./SillStage.tsx";
import { StartingDisplay } from "./StartingDisplay.tsx";
import { FIRST_FOLDER } from "./tools/device-paths.ts";
import { useUploads } from "./use-uploads.ts";

const ShareDeviceDialog = lazy(() => fetchCode(() => import("../live-sessions/ShareDeviceDialog.tsx")));
const InstallDialog = lazy(() => fetchCode(() => import("../recipes/InstallDialog.tsx")));

/** One device, full of it: `/instance/:uuid`, and with `/stop` or `/save` at the end the question whether to do that. */
export default function DisplayPage() {
  const { uuid = "" } = useParams();
  return isIdentifier(uuid) ? (
    <Display key={uuid} uuid={uuid} />
  ) : (
    <Page header={<DisplayHeader />}>
      <RefusedDisplay refusal="invalid" />
    </Page>
  );
}

function Display({ uuid }: { uuid: string }) {
  const { data: instance, error, isFetching, refetch } = useQuery(instanceQuery(uuid));
  const { t } = useTranslation();
  const me = useSession();
  const question = useQuestion(uuid);
  const { mutate: stop } = useMutation(stopDevices);
  const { mutate: extend } = useMutation(extendDevice);
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly File[]>();
  const [isSharing, setSharing] = useState(false);
  const [room, setRoom] = useState(emptyRoom);
  const { data: live } = useQuery(sessionOfDevice(uuid));
  useHandNotices(live, room.hands);
  const uploading = useUploads(instance);
  const [address] = useSearchParams();
  // Who looks at a folder means that one.
  const folder = address.getAll("tool").includes("files") ? (address.get("path") ?? FIRST_FOLDER) : undefined;
  useTitle(instance?.name);

  // A refusal counts for more than what was known before it; a hiccup does not.
  const isRefused = error !== null && (!instance || (error instanceof AppError && error.status < 500));
  if (isRefused) {
    const refused = refusalOf(error);
    const refusal = refused === "notAllowed" && question.asked === "save" ? "notSavable" : refused;
    const known = refusal === "notRunning" ? instance : undefined;
    return (
      <Page header={<DisplayHeader instance={known && { ...known, state: "OFFLINE", stops_at: null }} />}>
        {refusal === "notRunning" ? (
          <NotRunning uuid={uuid} recipeUuid={known ? recipeOf(known) : endedRecipeOf(error)} />
        ) : (
          <RefusedDisplay refusal={refusal} onRetry={isFetching ? undefined : () => void refetch()} />
        )}
      </Page>
    );
  }
  if (!instance)
    return (
      <Page header={<DisplayHeader />}>
        <LoadingDisplay />
      </Page>
    );
  // A colleague's device can be seen in the list, and a manager may end it; its picture is its owner's alone.
  const isColleagues = me !== undefined && instance.owner.uuid !== me.user.uuid;
  if (isColleagues && live) return <Navigate to={liveSessionAddress(live.uuid)} replace />;
  const members = live ? membersOf(live, t) : undefined;
  const shared = members ? t("liveSessions.share.shared", { members }) : t("liveSessions.share.action");
  const asking = room.hands.length > 0 && t("liveSessions.hand.asking", { count: room.hands.length });
  const canShare = !isColleagues && me !== undefined && activeStates.includes(instance.state);
  const canStop = isColleagues ? mayStop(instance, me.user) : statesThatTake("stop").includes(instance.state);
  const askToStop = canStop ? () => question.ask("stop") : undefined;
  const whyNot = me && whyNotSavable(instance, me.user);
  const canInstall = !isColleagues && me !== undefined && instance.state === "ONLINE";
  const save = {
    run: () => question.ask("save"),
    reason: whyNot && t(`launchpad.deviceActions.unlessSave.${whyNot}`),
  };
  const arrived = uploading.uploads.filter((upload) => upload.state === "done").length;
  const tools = { onUpload: uploading.add, arrived };
  return (
    <Page
      header={
        <DisplayHeader
          instance={instance}
          onStop={isColleagues ? undefined : askToStop}
          decides={me && decidesOn(instance, me.user)}
          onExtend={canStop ? () => extend(instance) : undefined}
          onInstall={canInstall ? () => pickApp(setFiles) : undefined}
          save={me && canStop && !isColleagues ? save : undefined}
        >
          {canShare && (
            <Button
              onClick={() => setSharing(true)}
              aria-label={[shared, asking].filter(Boolean).join(", ")}
              sx={{ flex: "none" }}
            >
              <Icon glyph={room.hands.length > 0 ? Hand : Users} />
              <Box component="span" sx={{ display: { xs: members ? "inline" : "none", sm: "inline" } }}>
                {members ?? t("liveSessions.share.action")}
              </Box>
            </Button>
          )}
        </DisplayHeader>
      }
    >
      {isColleagues ? (
        <ColleagueDisplay
          owner={instance.owner}
          mail={mailToOwner(instance.owner.email, t("display.colleague.subject", { name: instance.name }))}
          onStop={askToStop}
        />
      ) : (
        <DisplayOf instance={instance} people={live ? peopleOf(live) : undefined} onRoom={setRoom} tools={tools} />
      )}
      <StopDialog
        instances={question.asked === "stop" && canStop ? [instance] : []}
        onClose={question.close}
        onConfirm={() => {
          question.hide();
          stop([instance], { onSuccess: () => void navigate(launchpad), onError: question.close });
        }}
      />
      {canInstall && (
        <FileDrop
          title={t("uploads.drop.title", { name: instance.name })}
          help={folder === undefined ? t("uploads.drop.help") : t("uploads.drop.into", { folder })}
          // One app is installed and opened before one's eyes; what can go on by itself does.
          onFiles={(dropped) =>
            folder === undefined && isOneApp(dropped) ? setFiles(dropped) : uploading.add(dropped, folder)
          }
        />
      )}
      {uploading.uploads.length > 0 && (
        <FileTray
          name={instance.name}
          uploads={uploading.uploads}
          isBusy={uploading.isBusy}
          onCancel={uploading.cancel}
          onRetry={uploading.retry}
          onClose={uploading.clear}
        />
      )}
      {files && me && (
        <Suspense>
          <InstallDialog
            files={files}
            me={meOf(me.user)}
            organization={undefined}
            on={instance}
            onClose={() => setFiles(undefined)}
            onInstalled={() => setFiles(undefined)}
          />
        </Suspense>
      )}
      {isSharing && canShare && (
        <Suspense>
          <ShareDeviceDialog instance={instance} room={room} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {question.asked === "save" && me && <SaveDialog device={instance} me={meOf(me.user)} onClose={question.close} />}
    </Page>
  );
}

interface DisplayProps {
  instance: Instance;
  people: readonly RoomPerson[] | undefined;
  onRoom: (room: Room) => void;
  tools: { onUpload: (files: readonly File[], folder: string) => void; arrived: number };
}

function DisplayOf({ instance, ...more }: DisplayProps): React.ReactNode {
  switch (stageOf(instance)) {
    case "starting":
      return <StartingDisplay instance={instance} />;
    case "online":
      return <OnlineDisplay instance={instance} {...more} />;
    case "windingDown":
      return <EndingDisplay instance={instance} />;
    default:
      return <NotRunning uuid={instance.uuid} recipeUuid={recipeOf(instance)} />;
  }
}

/** What a device was saved into, or else what it was started from. */
const recipeOf = ({ state, save, recipe }: Instance): string | undefined =>
  (state === "ERROR" || save?.error ? undefined : save?.recipe_uuid) ?? recipe?.uuid;

/** A device that has ended. Another can be started from its recipe, if that is still there; and what was captured of it is. */
function NotRunning({ uuid, recipeUuid }: { uuid: string; recipeUuid: string | undefined }) {
  const me = useSession();
  const { data: recipe } = useQuery(recipeQuery(recipeUuid));
  const { data: captures } = useQuery({
    ...capturePage({ instance: uuid, page_size: 1 }),
    enabled: Boolean(me?.user.organization),
    // A recording that ran until the end is saved a moment later.
    refetchInterval: ({ state }) => state.dataUpdateCount < 3 && 1_000,
  });
  const [isStarting, setStarting] = useState(false);
  return (
    <>
      <RefusedDisplay
        refusal="notRunning"
        captures={captures?.count}
        onStartAgain={recipe && me ? () => setStarting(true) : undefined}
      />
      {isStarting && recipe && me && (
        <StartAgain me={meOf(me.user)} recipe={recipe} onClose={() => setStarting(false)} />
      )}
    </>
  );
}

function StartAgain({ me, recipe, onClose }: { me: Me; recipe: Recipe; onClose: () => void }) {
  const navigate = useNavigate();
  const { data: organization } = useQuery(organizationOf(me));
  return (
    <StartDialog
      me={me}
      organization={organization}
      recipe={recipe}
      onClose={onClose}
      onStarted={({ uuid }) => void navigate(`/instance/${uuid}`)}
    />
  );
}

/** The empty stage, and words once it takes long enough to be noticed. */
export function LoadingDisplay() {
  const { t } = useTranslation();
  return (
    <SillStage>
      <Box
        component="output"
        sx={{ placeSelf: "center", color: "text.secondary", animation: `${appear} 180ms 300ms both` }}
      >
        {t("display.loading")}
      </Box>
    </SillStage>
  );
}

/** A page full of a device. */
export function Page({ header, children }: { header: React.ReactNode; children: React.ReactNode }) {
  const main = useRetainedFocus<HTMLElement>();
  return (
    <Box {...main} component="main" id="main" tabIndex={-1} sx={page}>
      {header}
      {children}
    </Box>
  );
}

/** Asked by a button without leaving the address, so that the picture is not begun anew; or by the address itself. */
function useQuestion(uuid: string) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const address = /\/(stop|save)$/.exec(pathname)?.[1] as "stop" | "save" | undefined;
  const [asked, ask] = useState(address);
  const hide = () => ask(undefined);
  return {
    asked,
    ask,
    hide,
    close: () => {
      hide();
      if (address) void navigate(`/instance/${uuid}`, { replace: true });
    },
  };
}

const appear = keyframes({ from: { opacity: 0 } });

const page = { display: "flex", flexDirection: "column", height: "100dvh", minWidth: 0 };

/** Whether somebody manages the organization that a device counts for: their own, unless its recipe is shared with them from another. */
const decidesOn = ({ recipe }: Instance, { is_organization_manager, organization }: User) =>
  is_organization_manager && (recipe?.owner?.organization ?? organization)?.uuid === organization?.uuid;
