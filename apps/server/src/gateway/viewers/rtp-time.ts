/** The RTP time of a picture: 90 kHz, 32 bits that wrap. */
export function rtpTimeOf(ptsUs: bigint): number {
  return Number(BigInt.asUintN(32, (ptsUs * 9n) / 100n));
}

/** The RTP time of a packet of sound: 48 kHz, whatever its encoder was given (RFC 7587). */
export function soundTimeOf(ptsUs: bigint): number {
  return Number(BigInt.asUintN(32, (ptsUs * 6n) / 125n));
}
