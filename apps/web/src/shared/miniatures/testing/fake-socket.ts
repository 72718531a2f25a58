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
