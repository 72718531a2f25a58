/** What the visitors have done and seen so far. */
export interface Tally {
  viewers: number;
  /** Of them, those that were to get a picture. */
  watchers: number;
  frames: number;
  taps: number;
  /** Taps after which the picture did not change. */
  lostTaps: number;
  /** Until the first picture, for each that got one. */
  firstPictureMs: number[];
  /** Viewers whose device was stopped meanwhile. */
  cutShort: number;
  /** Viewers that were told to try again later, and did. */
  comebacks: number;
  starts: number;
  adbSessions: number;
  /** Refused requests by their code. */
  refused: Record<string, number>;
  /** What should have worked, a line for each. */
  failures: string[];
  /** The slowest answer of the API since the last sample. */
  slowestMs: number;
}

export const emptyTally = (): Tally => ({
  viewers: 0,
  watchers: 0,
  frames: 0,
  taps: 0,
  lostTaps: 0,
  firstPictureMs: [],
  cutShort: 0,
  comebacks: 0,
  starts: 0,
  adbSessions: 0,
  refused: {},
  failures: [],
  slowestMs: 0,
});
