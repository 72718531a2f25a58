import { emptyRoom, type Room, type OpenPlayer } from "@terrarium/sdk/display";
import "../../en/display.ts";
import { Box, Button, Typography } from "@mui/material";
import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { AppError, type Instance, type LiveSession, type Participant } from "@terrarium/contract";
import DoorOpen from "lucide-react/icons/door-open";
import Hand from "lucide-react/icons/hand";
import Users from "lucide-react/icons/users";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate, useParams } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { EmptyArch, TiltedCloche } from "../../components/drawings.tsx";
import { Icon } from "../../components/Icon.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { useTitle } from "../../components/use-title.ts";
import { routeRules } from "../../session/routes.ts";
import { useMe } from "../../session/user.ts";
import { instanceQuery } from "../display/display.queries.ts";
import { DisplayHeader } from "../display/DisplayHeader.tsx";
import { EndingDisplay, Notice, RefusedDisplay } from "../display/DisplayNotice.tsx";
import { LoadingDisplay, Page } from "../display/DisplayPage.tsx";
import type { RoomPerson } from "../display/Pointers.tsx";
import { OnlineDisplay } from "../display/OnlineDisplay.tsx";
import { isIdentifier, stageOf } from "../display/refusal.ts";
import { StartingDisplay } from "../display/StartingDisplay.tsx";
import { leaveSession, liveSessionOf } from "./live-sessions.queries.ts";
import { membersOf, peopleOf } from "./live-session-list.tsx";
import { People } from "./People.tsx";

/** The device of somebody else who has invited one to it: `/live-session/:uuid`. */
export default function LiveSessionPage({ openPlayer }: { openPlayer?: OpenPlayer }) {
  const { uuid = "" } = useParams();
  return isIdentifier(uuid) ? (
    <Session key={uuid} uuid={uuid} openPlayer={openPlayer} />
  ) : (
    <Page header={<DisplayHeader />}>
      <RefusedDisplay refusal="invalid" />
    </Page>
  );
}

const isRefusal = (error: Error | null): error is AppError => error instanceof AppError && error.status < 500;

function Session({ uuid, openPlayer }: { uuid: string; openPlayer: OpenPlayer | undefined }) {
  const me = useMe();
  const navigate = useNavigate();
  // Who leaves is refused from then on, and asks for nothing more.
  const [isLeaving, setLeaving] = useState(false);
  const { mutate: leave } = useMutation({
    ...leaveSession,
    onSuccess: () => void navigate(routeRules.liveSessions.path),
    onError: () => setLeaving(false),
  });
  const { data: session, error, isFetching, refetch } = useQuery({ ...liveSessionOf(uuid), enabled: !isLeaving });
  const device = useQuery({
    ...instanceQuery(session?.instance.uuid ?? ""),
    ...(session ? {} : { queryFn: skipToken }),
    enabled: !isLeaving,
  });
  const [room, setRoom] = useState(emptyRoom);
  useTitle(session?.instance.name);
  // The device is refused at once where the session ends with it, or one was taken out; the session says which.
  const isDeviceRefused = isRefusal(device.error);
  useEffect(() => {
    if (isDeviceRefused) void refetch();
  }, [isDeviceRefused, refetch]);

  if (session && isRefusal(error))
    return (
      <Page header={<DisplayHeader title={session.instance.name} back={routeRules.liveSessions.path} />}>
        <Over session={session} error={error} />
      </Page>
    );
  if (error && !session) return <Refused error={error} onRetry={isFetching ? undefined : () => void refetch()} />;
  if (session?.owner.genyid === me.uuid) return <Navigate to={`/instance/${session.instance.uuid}`} replace />;
  if (!session || !device.data || isDeviceRefused || isLeaving)
    return (
      <Page header={<DisplayHeader title={session?.instance.name} />}>
        <LoadingDisplay />
      </Page>
    );
  const isViewOnly = session.participants.some(({ genyid, can_control }) => genyid === me.uuid && !can_control);
  const shown = { instance: device.data, isViewOnly };
  return (
    <Page
      header={
        <Header
          {...shown}
          session={session}
          room={room}
          onLeave={(participant) => {
            setLeaving(true);
            leave({ participant, session });
          }}
        />
      }
    >
      <DisplayOf {...shown} people={peopleOf(session)} onRoom={setRoom} openPlayer={openPlayer} />
    </Page>
  );
}

interface Shown {
  instance: Instance;
  isViewOnly: boolean;
}

interface DisplayProps extends Shown {
  people: readonly RoomPerson[];
  onRoom: (room: Room) => void;
  openPlayer: OpenPlayer | undefined;
}

function DisplayOf({ instance, openPlayer, ...shown }: DisplayProps): React.ReactNode {
  switch (stageOf(instance)) {
    case "starting":
      return <StartingDisplay instance={instance} />;
    case "online":
      return <OnlineDisplay {...shown} instance={instance} {...(openPlayer && { openPlayer })} />;
    default:
      return <EndingDisplay instance={instance} />;
  }
}

interface HeaderProps extends Shown {
  session: LiveSession;
  room: Room;
  onLeave: (own: Participant) => void;
}

/** Whose device it is, who else is in the session, and the way out. */
function Header({ session, room, instance, isViewOnly, onLeave }: HeaderProps) {
  const { t } = useTranslation();
  const me = useMe();
  const [isAsked, setAsked] = useState(false);
  const owner = nameOf(session.owner);
  const members = membersOf(session, t);
  const own = session.participants.find(({ genyid }) => genyid === me.uuid);
  const isRaised = room.hands.includes(me.uuid);
  return (
    <DisplayHeader instance={instance} back={routeRules.liveSessions.path}>
      <Typography
        component="output"
        variant="body2"
        color="textSecondary"
        noWrap
        sx={{
          minWidth: 0,
          display: { xs: isViewOnly ? "block" : "none", sm: "block" },
          // On a phone it has a line of its own.
          ...(isViewOnly && { flexBasis: { xs: "100%", sm: "auto" }, order: { xs: 1, sm: 0 }, px: { xs: 2, sm: 0 } }),
        }}
      >
        {t(isViewOnly ? "liveSessions.page.watching" : "liveSessions.page.of", { owner })}
      </Typography>
      {isViewOnly && room.here.includes(me.uuid) && (
        <Button
          onClick={() => room.raise(!isRaised)}
          aria-label={t("liveSessions.hand.raise")}
          aria-pressed={isRaised}
          {...(isRaised && { variant: "contained", color: "primary" })}
          sx={{ flex: "none" }}
        >
          <Icon glyph={Hand} />
          <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
            {t(isRaised ? "liveSessions.hand.raised" : "liveSessions.hand.raise")}
          </Box>
        </Button>
      )}
      <Button
        onClick={() => setAsked(true)}
        aria-label={t("liveSessions.page.people", { members })}
        sx={{ flex: "none" }}
      >
        <Icon glyph={Users} />
        {members}
      </Button>
      {own && (
        <Button onClick={() => onLeave(own)} aria-label={t("liveSessions.page.leave")} sx={{ flex: "none" }}>
          <Icon glyph={DoorOpen} />
          <Box component="span" sx={{ display: { xs: "none", sm: "inline" } }}>
            {t("liveSessions.page.leave")}
          </Box>
        </Button>
      )}
      {isAsked && (
        <AppDialog title={session.instance.name} onClose={() => setAsked(false)} dismiss={t("common.close")}>
          <People session={session} here={room.here} hands={room.hands} />
        </AppDialog>
      )}
    </DisplayHeader>
  );
}

/** What was there is gone, in place. */
function Over({ session, error }: { session: LiveSession; error: AppError }) {
  const { t } = useTranslation();
  const isRemoved = error.code === "LIVE_SESSION_NOT_ALLOWED";
  return (
    <Notice
      drawing={<EmptyArch />}
      fact={t(isRemoved ? "liveSessions.page.removed" : "liveSessions.page.over")}
      help={t(isRemoved ? "liveSessions.page.removedHelp" : "liveSessions.page.overHelp", {
        owner: nameOf(session.owner),
      })}
    />
  );
}

function Refused({ error, onRetry }: { error: Error; onRetry: (() => void) | undefined }) {
  const { t } = useTranslation();
  const code = error instanceof AppError ? error.code : undefined;
  return (
    <Page header={<DisplayHeader title={t("common.titles.liveSession")} back={routeRules.liveSessions.path} />}>
      {code === "LIVE_SESSION_NOT_FOUND" || code === "LIVE_SESSION_NOT_ALLOWED" ? (
        <Notice
          drawing={<TiltedCloche />}
          fact={t(code === "LIVE_SESSION_NOT_FOUND" ? "liveSessions.page.expired" : "display.refused.notAllowed")}
          help={t(
            code === "LIVE_SESSION_NOT_FOUND" ? "liveSessions.page.expiredHelp" : "liveSessions.page.notAllowedHelp",
          )}
        />
      ) : (
        <RefusedDisplay refusal={code === "INVALID_IDENTIFIER" ? "invalid" : "other"} onRetry={onRetry} />
      )}
    </Page>
  );
}
