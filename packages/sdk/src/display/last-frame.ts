/** A still of a picture, in its own size in pixels. */
export function stillOf(picture: CanvasImageSource, { width, height }: { width: number; height: number }) {
  const still = document.createElement("canvas");
  still.width = width;
  still.height = height;
  still.getContext("2d")?.drawImage(picture, 0, 0);
  return still;
}

/** Puts a still of a picture where a player is about to show the next ones, in the place of what was held there. */
export function showBehind(mount: HTMLElement, frame: VideoFrame): void {
  const still = stillOf(frame, { width: frame.displayWidth, height: frame.displayHeight });
  while (mount.previousSibling) mount.previousSibling.remove();
  mount.before(still);
}

/** Puts a still of what the video last showed into `place`, where it stays until there is a new picture. */
export function holdLastFrame(place: HTMLElement, video: HTMLVideoElement): void {
  place.replaceChildren(stillOf(video, { width: video.videoWidth, height: video.videoHeight }));
}
