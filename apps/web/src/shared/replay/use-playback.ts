import { useEffect, useRef, useState } from "react";

/** What just happened is at the end: it is shown from here on. */
const BEFORE_END_MS = 10_000;

/** A video that plays or stands still, and the time it is at, in milliseconds. */
export function usePlayback(file: Blob, durationMs: number) {
  const element = useRef<HTMLVideoElement>(null);
  const [time, setTime] = useState(() => Math.max(0, durationMs - BEFORE_END_MS));
  const [isPlaying, setPlaying] = useState(false);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const url = URL.createObjectURL(file);
    if (element.current) element.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  useEffect(() => {
    const video = element.current;
    if (!video || !isPlaying) return undefined;
    let frame = 0;
    const follow = () => {
      setTime(video.currentTime * 1_000);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);
  const seek = (to: number) => {
    const within = Math.min(durationMs, Math.max(0, to));
    setTime(within);
    if (element.current) element.current.currentTime = within / 1_000;
  };
  const toggle = () => {
    const video = element.current;
    if (!video) return;
    if (isPlaying) return video.pause();
    if (time >= durationMs) seek(0);
    // A browser that cannot play it says so with an event.
    void video.play().catch(() => undefined);
  };
  const measure = () => {
    const video = element.current;
    if (video) setSize({ width: video.videoWidth, height: video.videoHeight });
  };
  return {
    time,
    isPlaying,
    /** Of the picture that is shown, in its pixels; 0 before there is one. */
    size,
    seek,
    toggle,
    /** For the video. */
    attributes: {
      ref: element,
      onLoadedMetadata: () => {
        measure();
        seek(time);
      },
      // It turns with the device.
      onResize: measure,
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
    },
  };
}
