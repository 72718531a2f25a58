/** Friction of a fling: the part of the way still ahead falls by e in this time. */
const FLING_MS = 325;
/** How fast content that was pulled beyond its end comes back. */
const SPRING_MS = 85;
/** How much of a pull beyond the end is followed. */
const PULL = 0.38;
const MIN_FLING = 60;
/** A finger this fast turns the page, however short its way was. */
const MIN_TURN = 250;
const GLIDE_MS = 180;

type Motion =
  | { kind: "rest" }
  | { kind: "drag" }
  | { kind: "fling"; from: number; velocity: number; start: number }
  | { kind: "spring"; end: number; away: number; velocity: number; start: number }
  | { kind: "glide"; from: number; to: number; start: number };

/** The position of a list, with inertia and overscroll, in dp. It has no timer: `at` computes the position for a time. */
export class Scroller {
  max = 0;
  /** Where pages begin, in dp apart: it comes to rest at one. 0 for a list. */
  page = 0;
  #offset = 0;
  #motion: Motion = { kind: "rest" };

  /** The offset at `now`; beyond 0..max while it is pulled over an end. */
  at(now: number): number {
    const motion = this.#motion;
    if (motion.kind === "fling") this.#flung(motion, now);
    else if (motion.kind === "spring") this.#sprung(motion, now);
    else if (motion.kind === "glide") {
      const t = Math.min(1, (now - motion.start) / GLIDE_MS);
      this.#offset = motion.from + (this.#clamp(motion.to) - motion.from) * (1 - (1 - t) ** 3);
      if (t === 1) this.#motion = { kind: "rest" };
    } else if (motion.kind === "rest") this.#offset = this.#clamp(this.#offset);
    return this.#offset;
  }

  get moving(): boolean {
    return this.#motion.kind !== "rest" && this.#motion.kind !== "drag";
  }

  /** Whether a finger that moves by this finds nothing more. */
  endsAt(by: number, now: number): boolean {
    return by > 0 ? this.at(now) <= 0 : this.at(now) >= this.max;
  }

  grab(now: number): void {
    this.at(now);
    this.#motion = { kind: "drag" };
  }

  /** The finger moved by `delta`; positive shows what is further down. */
  drag(delta: number): void {
    const beyond = this.#offset < 0 || this.#offset > this.max;
    const outward = beyond && Math.sign(delta) === (this.#offset < 0 ? -1 : 1);
    this.#offset += outward ? delta * PULL : delta;
  }

  /** The finger left with a speed in dp per second. */
  release(velocity: number, now: number): void {
    if (this.#offset < 0 || this.#offset > this.max) this.#spring(0, now);
    else if (this.page > 0) {
      const at = this.#offset / this.page;
      const goal = velocity > MIN_TURN ? Math.ceil(at) : velocity < -MIN_TURN ? Math.floor(at) : Math.round(at);
      this.#motion = { kind: "glide", from: this.#offset, to: goal * this.page, start: now };
    } else if (Math.abs(velocity) < MIN_FLING) this.#motion = { kind: "rest" };
    else this.#motion = { kind: "fling", from: this.#offset, velocity, start: now };
  }

  /** Scrolls smoothly by `delta`, for a wheel or a focus that left the view. */
  glide(delta: number, now: number): void {
    const from = this.at(now);
    const goal = this.#motion.kind === "glide" ? this.#motion.to : from;
    this.#motion = { kind: "glide", from, to: this.#clamp(goal + delta), start: now };
  }

  jump(offset: number): void {
    this.#offset = offset;
    this.#motion = { kind: "rest" };
  }

  #flung(motion: Extract<Motion, { kind: "fling" }>, now: number): void {
    const travel = (motion.velocity * FLING_MS) / 1000;
    const left = Math.exp(-(now - motion.start) / FLING_MS);
    this.#offset = motion.from + travel * (1 - left);
    if (this.#offset < 0 || this.#offset > this.max) {
      this.#offset = this.#clamp(this.#offset);
      this.#spring(motion.velocity * left, now);
    } else if (Math.abs(travel * left) < 0.4) this.#motion = { kind: "rest" };
  }

  #spring(velocity: number, now: number): void {
    const end = this.#clamp(this.#offset);
    this.#motion = { kind: "spring", end, away: this.#offset - end, velocity: velocity * PULL, start: now };
  }

  /** A critically damped spring: it comes back once and does not swing. */
  #sprung(motion: Extract<Motion, { kind: "spring" }>, now: number): void {
    const t = (now - motion.start) / SPRING_MS;
    const rate = motion.away + (motion.velocity * SPRING_MS) / 1000;
    const away = (motion.away + rate * t) * Math.exp(-t);
    this.#offset = motion.end + away;
    if (t > 1 && Math.abs(away) < 0.3) {
      this.#offset = motion.end;
      this.#motion = { kind: "rest" };
    }
  }

  #clamp(offset: number): number {
    return Math.min(this.max, Math.max(0, offset));
  }
}
