/** Puts a still of what the video last showed into `place`, where it stays until there is a new picture. */
export function keepLastFrame(place: HTMLElement, video: HTMLVideoElement): void {
  const still = document.createElement("canvas");
  still.width = video.videoWidth;
  still.height = video.videoHeight;
  still.getContext("2d")?.drawImage(video, 0, 0);
  place.replaceChildren(still);
}
