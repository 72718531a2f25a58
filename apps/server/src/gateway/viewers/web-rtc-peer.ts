import { MAX_EVENT_CHARS } from "@terrarium/player";
import { randomInt } from "node:crypto";
import {
  Audio,
  cleanup,
  type DataChannel,
  H264RtpPacketizer,
  PeerConnection,
  type RtcConfig,
  RtcpNackResponder,
  RtcpSrReporter,
  RtpPacketizationConfig,
  RtpPacketizer,
  type Track,
  Video,
} from "node-datachannel";
import type { AccessUnit } from "../display/display.ts";
import type { SoundPacket } from "../display/display-source.ts";
import { withHostAddress } from "./host-address.ts";
import { parseOffer, playoutDelayLine, type OfferedMedia, type OfferedVideo } from "./offer.ts";
import { LossMeter } from "./loss-meter.ts";
import { readFeedback } from "./rtcp.ts";
import { rtpTimeOf, soundTimeOf } from "./rtp-time.ts";
import type { Reach } from "./reach.ts";
import type { VideoTrack } from "./video-feed.ts";
import type { PeerEvents, ViewerPeer } from "./viewer-peer.ts";

/** Where browsers reach this gateway's media. */
export interface IceSettings {
  /** One UDP port shared by all viewers; without it each viewer gets its own. */
  udpPort?: number | undefined;
  /** The IP address to listen on; all by default. */
  bindAddress?: string | undefined;
  /** The address announced to browsers, when it is not one of this machine's. */
  hostAddress?: string | undefined;
  /** How near the addresses may be that viewers have video sent to; only public ones by default. */
  reach?: Reach | undefined;
}

/** Small enough to cross any network unfragmented, headers and encryption included. */
const MAX_RTP_PAYLOAD_BYTES = 1200;
const VIDEO_CLOCK_HZ = 90_000;
const AUDIO_CLOCK_HZ = 48_000;
/** Sound and picture share one stream: the player shows only the first. */
const STREAM = "terrarium";

/** A libdatachannel peer connection that sends H.264 and opus unchanged and receives the player's events. */
export class WebRtcPeer implements ViewerPeer {
  readonly video: VideoTrack;
  readonly #events: PeerEvents;
  readonly #ice: IceSettings;
  readonly #connection: PeerConnection;
  /** Referenced here so that they are not garbage-collected: libdatachannel's handlers are bound to them. */
  readonly #tracks: Track[] = [];
  readonly #channels: object[] = [];
  readonly #losses = new LossMeter();
  #track: Track | undefined;
  #packetization: RtpPacketizationConfig | undefined;
  #sound: { track: Track; packetization: RtpPacketizationConfig } | undefined;
  #answered = false;
  #early: [candidate: string, mid: string][] = [];
  #closed = false;

  constructor(events: PeerEvents, ice: IceSettings) {
    this.#events = events;
    this.#ice = ice;
    this.#connection = new PeerConnection("viewer", rtcConfig(ice));
    this.#listen();
    this.video = {
      isOpen: () => !this.#closed && this.#track?.isOpen() === true,
      send: (unit) => this.#send(unit),
    };
  }

  acceptOffer(sdp: string): void {
    // Media are added once: a later offer, after a change of camera or quality, gets the same answer.
    if (this.#tracks.length === 0) this.#addMedia(sdp);
    this.#connection.setRemoteDescription(sdp, "offer");
    this.#connection.setLocalDescription("answer");
  }

  addCandidate(candidate: string, mid: string): void {
    this.#connection.addRemoteCandidate(candidate, mid);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close();
  }

  #listen(): void {
    const connection = this.#connection;
    const open = (handle: () => void) => {
      if (!this.#closed) handle();
    };
    connection.onLocalDescription((sdp, type) => open(() => type === "answer" && this.#sendAnswer(sdp)));
    connection.onLocalCandidate((candidate, mid) => open(() => this.#sendCandidate(candidate, mid)));
    connection.onStateChange((state) => open(() => state === "failed" && this.#events.onBroken()));
    connection.onDataChannel((channel) => {
      releaseWhenClosed(channel);
      if (channel.getLabel() !== "events" || this.#channels.length > 0) {
        open(() => this.#events.onEvent(undefined));
        return channel.close();
      }
      this.#channels.push(channel);
      // The channel is announced only once it is open.
      open(() => this.#events.onEventsOpen());
      channel.onMessage((message) =>
        open(() => {
          const isEvent = typeof message === "string" && message.length <= MAX_EVENT_CHARS;
          this.#events.onEvent(isEvent ? message : undefined);
        }),
      );
    });
  }

  #sendAnswer(sdp: string): void {
    this.#events.onAnswer(withHostAddress(sdp, this.#ice.hostAddress));
    this.#answered = true;
    for (const [candidate, mid] of this.#early.splice(0)) this.#sendCandidate(candidate, mid);
  }

  /** The player drops candidates that arrive before the answer. */
  #sendCandidate(candidate: string, mid: string): void {
    if (this.#answered) this.#events.onCandidate(withHostAddress(candidate, this.#ice.hostAddress), mid);
    else this.#early.push([candidate, mid]);
  }

  #addMedia(sdp: string): void {
    const offer = parseOffer(sdp);
    if (!offer.video) throw new Error("the offer has no H.264");
    this.#addVideo(offer.video);
    if (offer.audio) this.#addAudio(offer.audio);
  }

  #addVideo({ mid, payloadType, format, playoutDelayId }: OfferedVideo): void {
    const ssrc = randomInt(1, 0xffffffff);
    const media = new Video(mid, "SendOnly");
    media.addH264Codec(payloadType, format);
    media.addSSRC(ssrc, STREAM, STREAM, "video");
    if (playoutDelayId !== undefined) media.parseSdpLine(playoutDelayLine(playoutDelayId));
    const track = this.#addTrack(media);

    const packetization = new RtpPacketizationConfig(ssrc, STREAM, payloadType, VIDEO_CLOCK_HZ);
    if (playoutDelayId !== undefined) {
      packetization.playoutDelayId = playoutDelayId;
      packetization.playoutDelayMin = 0;
      packetization.playoutDelayMax = 0;
    }
    const packetizer = new H264RtpPacketizer("StartSequence", packetization, MAX_RTP_PAYLOAD_BYTES);
    packetizer.addToChain(new RtcpSrReporter(packetization));
    packetizer.addToChain(new RtcpNackResponder());
    track.setMediaHandler(packetizer);
    track.onOpen(() => {
      if (!this.#closed) this.#events.onVideoOpen();
    });
    track.onMessage((message) => {
      if (!this.#closed) this.#takeFeedback(message);
    });
    this.#track = track;
    this.#packetization = packetization;
  }

  #takeFeedback(packet: Buffer): void {
    const { keyFrame, report } = readFeedback(packet);
    if (report && this.#losses.isFull(report)) this.#events.onNetworkFull();
    if (keyFrame) this.#events.onKeyFrameRequest();
  }

  playSound({ ptsUs, data }: SoundPacket): void {
    if (this.#closed || !this.#sound?.track.isOpen()) return;
    this.#sound.packetization.timestamp = soundTimeOf(ptsUs);
    try {
      this.#sound.track.sendMessageBinary(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    } catch {
      // It closed since it was asked.
    }
  }

  /**
   * Present even if the device has no sound: the player waits until its stream has both. Without reports on what time it is in each,
   * browsers do not hold the picture back until the sound, which they buffer for longer, has come.
   */
  #addAudio({ mid, payloadType }: OfferedMedia): void {
    const media = new Audio(mid, "SendOnly");
    media.addOpusCodec(payloadType);
    const ssrc = randomInt(1, 0xffffffff);
    media.addSSRC(ssrc, STREAM, STREAM, "audio");
    const track = this.#addTrack(media);
    const packetization = new RtpPacketizationConfig(ssrc, STREAM, payloadType, AUDIO_CLOCK_HZ);
    track.setMediaHandler(new RtpPacketizer(packetization));
    // Browsers' reports about it would be buffered until somebody reads them.
    track.onMessage(() => undefined);
    this.#sound = { track, packetization };
  }

  #addTrack(media: Audio | Video): Track {
    const track = this.#connection.addTrack(media);
    releaseWhenClosed(track);
    this.#tracks.push(track);
    return track;
  }

  #send({ ptsUs, data }: AccessUnit): boolean {
    if (!this.#track || !this.#packetization) return false;
    this.#packetization.timestamp = rtpTimeOf(ptsUs);
    return this.#track.sendMessageBinary(data);
  }
}

/**
 * Releases the handlers of a track or channel when its connection has closed. node-datachannel (0.33.4) holds them until `close` is called,
 * and they refer to all of the viewer.
 */
function releaseWhenClosed(part: Track | DataChannel): void {
  part.onClosed(() => part.close());
}

function rtcConfig({ udpPort, bindAddress }: IceSettings): RtcConfig {
  return {
    iceServers: [],
    disableAutoNegotiation: true,
    maxMessageSize: MAX_EVENT_CHARS,
    ...(bindAddress !== undefined && { bindAddress }),
    ...(udpPort !== undefined && { enableIceUdpMux: true, portRangeBegin: udpPort, portRangeEnd: udpPort }),
  };
}

/** Frees libdatachannel's process-wide resources; without this the process does not exit by itself. */
export function cleanUpWebRtc(): void {
  cleanup();
}
