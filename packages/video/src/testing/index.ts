export { colourAt, type DecodedPicture, H264Decoder } from "./h264-decoder.ts";
