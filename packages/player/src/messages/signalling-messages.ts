/** Makes the player build its peer connection; sent once, since a second one would make it offer again. */
export function connectionMessage(): string {
  return JSON.stringify({ connection: "ok" });
}

/** Goes before any candidate: the player loses those that come earlier. */
export function answerMessage(sdp: string): string {
  return JSON.stringify({ type: "answer", sdp });
}

export function candidateMessage(candidate: string, mid: string): string {
  return JSON.stringify({ candidate, sdpMid: mid });
}
