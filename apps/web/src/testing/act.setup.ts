import React from "react";

// Not that of a test, which may have stopped the time.
const { setTimeout } = globalThis;
/** One to draw, one for the effects, and as many again for what these lead to, such as another page. */
const TURNS = 4;
const aTurn = () => new Promise<void>((resolve) => void setTimeout(resolve));

// React as it is shipped has no `act`, by which tests wait until what they drew is there.
Object.assign(React, {
  act: async (work: () => unknown) => {
    await work();
    for (let turn = 0; turn < TURNS; turn++) await aTurn();
  },
});
