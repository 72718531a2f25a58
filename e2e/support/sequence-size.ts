/** The frame size in a sequence parameter set (ITU-T H.264, 7.3.2.1.1), for the profiles 66 and 77. */
export function sequenceSize(unit: Uint8Array): { width: number; height: number } {
  const bits = new Bits(withoutEscapes(unit.subarray(4)));
  bits.number(); // seq_parameter_set_id
  bits.number(); // log2_max_frame_num_minus4
  const order = bits.number(); // pic_order_cnt_type
  if (order === 0) bits.number();
  if (order === 1) throw new Error("pic_order_cnt_type 1 is not supported");
  bits.number(); // max_num_ref_frames
  bits.bit(); // gaps_in_frame_num_value_allowed_flag
  const blocksAcross = bits.number() + 1;
  const blocksDown = bits.number() + 1;
  if (bits.bit() === 0) throw new Error("interlaced video is not supported");
  bits.bit(); // direct_8x8_inference_flag
  const [left = 0, right = 0, top = 0, bottom = 0] =
    bits.bit() === 1 ? [bits.number(), bits.number(), bits.number(), bits.number()] : [];
  return { width: blocksAcross * 16 - 2 * (left + right), height: blocksDown * 16 - 2 * (top + bottom) };
}

/** Removes the emulation prevention bytes. */
const withoutEscapes = (bytes: Uint8Array): Uint8Array =>
  bytes.filter((byte, at) => !(byte === 3 && at >= 2 && bytes[at - 1] === 0 && bytes[at - 2] === 0));

class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new Error("the parameter set is truncated");
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }

  /** An unsigned Exp-Golomb number. */
  number(): number {
    let zeros = 0;
    while (this.bit() === 0) zeros++;
    let value = 1;
    for (let count = 0; count < zeros; count++) value = value * 2 + this.bit();
    return value - 1;
  }
}
