/** A tone as a device's encoder gives it: packets of opus of 20 ms. */
export async function opusPackets(count: number, hertz = 440): Promise<Uint8Array[]> {
  const packets: Uint8Array[] = [];
  const encoder = new AudioEncoder({
    output: (chunk) => {
      const packet = new Uint8Array(chunk.byteLength);
      chunk.copyTo(packet);
      packets.push(packet);
    },
    error: (error) => console.error(error),
  });
  const format = { sampleRate: 48_000, numberOfChannels: 1 };
  encoder.configure({ codec: "opus", bitrate: 64_000, ...format });
  const samples = Float32Array.from(
    { length: 960 * count },
    (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / format.sampleRate),
  );
  const tone = new AudioData({
    ...format,
    format: "f32-planar",
    numberOfFrames: samples.length,
    timestamp: 0,
    data: samples,
  });
  encoder.encode(tone);
  tone.close();
  await encoder.flush();
  encoder.close();
  return packets;
}

/** As the gateway sends it over a socket. */
export function soundMessage(number: number, packet: Uint8Array): ArrayBuffer {
  const message = new Uint8Array(16 + packet.length);
  const header = new DataView(message.buffer);
  header.setUint8(0, 2);
  header.setUint32(4, number);
  header.setBigUint64(8, BigInt(number * 20_000));
  message.set(packet, 16);
  return message.buffer;
}
