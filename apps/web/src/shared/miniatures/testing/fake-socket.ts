/** Key frames of 32 x 48 pixels with their parameter sets, as the gateway sends them, in base64. */
const units = {
  red: "AAAAAWdCwBTaJ6agICDIAAADAAgAAAMAFHihVQAAAAFozh8gAAABZYiEOhGKAAIRccAAQEY4AAg6SddddeA=",
  blue: "AAAAAWdCwBTaJ6agICDIAAADAAgAAAMAFHihVQAAAAFozh8gAAABZYiEOhGKAAIe8cAAQdI4ABeTrrrrwA==",
} as const;

export const aPicture = (colour: keyof typeof units) =>
  Uint8Array.from(atob(units[colour]), (char) => char.charCodeAt(0));

/** A WebSocket whose other end is the test. */
export class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly sent: string[] = [];
  readonly url: string;
  binaryType = "blob";
  readyState = 0;

  constructor(url: string) {
    super();
    this.url = url;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.end(1005);
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  show(picture: Uint8Array<ArrayBuffer>): void {
    this.dispatchEvent(new MessageEvent("message", { data: picture.buffer }));
  }

  /** The other end closes it. */
  end(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }
}
