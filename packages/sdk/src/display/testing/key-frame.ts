/** Key frames of 32 x 48 pixels with their parameter sets, as the gateway sends them, in base64. */
const units = {
  red: "AAAAAWdCwBTaJ6agICDIAAADAAgAAAMAFHihVQAAAAFozh8gAAABZYiEOhGKAAIRccAAQEY4AAg6SddddeA=",
  blue: "AAAAAWdCwBTaJ6agICDIAAADAAgAAAMAFHihVQAAAAFozh8gAAABZYiEOhGKAAIe8cAAQdI4ABeTrrrrwA==",
} as const;

export const aKeyFrame = (colour: keyof typeof units) =>
  Uint8Array.from(atob(units[colour]), (char) => char.charCodeAt(0));
