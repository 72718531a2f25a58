/** Makes the player create its peer connection. Send it once: a second one makes it offer again. */
export function connectionMessage(): string {
  return JSON.stringify({ connection: "ok" });
}

/** Must precede all candidates: the player drops earlier ones. */
export function answerMessage(sdp: string): string {
  return JSON.stringify({ type: "answer", sdp });
}

export function candidateMessage(candidate: string, mid: string): string {
  return JSON.stringify({ candidate, sdpMid: mid });
}
