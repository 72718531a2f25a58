/** The RTP time of a picture: 90 kHz, 32 bits that wrap. */
export function rtpTimeOf(ptsUs: bigint): number {
  return Number(BigInt.asUintN(32, (ptsUs * 9n) / 100n));
}
