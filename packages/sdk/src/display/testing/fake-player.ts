import type { OpenPlayer, Player, PlayerSetup } from "../player.ts";
import type { Loss } from "../reconnect.ts";
import { paint, type Painting } from "./painted-video.ts";

export interface FakeConnection extends PlayerSetup {
  painting: Painting;
  sent: object[];
  isHeard: boolean;
  isClosed: boolean;
  lose(loss: Loss): void;
  report: Map<string, object>;
}

/** A player whose pictures are painted here and whose connections a test ends as it likes. */
export function fakePlayer({
  hasPicture = () => true,
  size = { width: 180, height: 320 },
}: { hasPicture?: (attempt: number) => boolean; size?: { width: number; height: number } } = {}) {
  const connections: FakeConnection[] = [];
  const openPlayer: OpenPlayer = async (setup) => {
    const { promise: over, resolve: lose } = Promise.withResolvers<Loss>();
    const painting = paint(size.width, size.height);
    const connection: FakeConnection = {
      ...setup,
      painting,
      sent: [],
      isHeard: false,
      isClosed: false,
      lose,
      report: new Map(),
    };
    connections.push(connection);
    const video = document.createElement("video");
    video.muted = true;
    video.autoplay = true;
    if (hasPicture(connections.length)) video.srcObject = painting.stream;
    setup.mount.tabIndex = 0;
    setup.mount.append(video);
    return {
      video,
      over,
      send: (message) => void connection.sent.push(message),
      setSound: (on) => void (connection.isHeard = on),
      stats: async () => connection.report,
      close: () => {
        connection.isClosed = true;
        painting.stop();
      },
    } satisfies Player;
  };
  return { connections, openPlayer };
}
