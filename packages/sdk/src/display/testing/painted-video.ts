export interface Painting {
  /** What is painted instead of what moves. */
  scene?: ((context: CanvasRenderingContext2D) => void) | undefined;
  canvas: HTMLCanvasElement;
  stream: MediaStream;
  /** Draws anew in this size, as a device does that was turned. */
  paint(width: number, height: number): void;
  stop(): void;
}

/** A picture that moves a little all the time, since a still one sends no frames. */
export function paint(width: number, height: number): Painting {
  const canvas = document.createElement("canvas");
  const draw = (w: number, h: number) => {
    canvas.width = w;
    canvas.height = h;
  };
  draw(width, height);
  let turn = 0;
  const timer = setInterval(() => {
    const context = canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = "#2E7D5B";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "#F4F7F5";
    if (painting.scene) painting.scene(context);
    else context.fillRect(canvas.width / 4, ((turn += 2) % canvas.height) - 20, canvas.width / 2, 40);
  }, 33);
  const stream = canvas.captureStream(30);
  const painting: Painting = {
    canvas,
    stream,
    paint: draw,
    stop: () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
    },
  };
  return painting;
}
