const started = performance.now();

/**
 * Prints one line of progress: what it is about, what is going on, and the seconds since the command began.
 * @param {string} about one word, such as "packages"
 * @param {string} text
 */
export function say(about, text) {
  console.log(`${seconds(performance.now() - started).padStart(8)}  ${about.padEnd(11)} ${text}`);
}

/** @param {number} ms */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Says again that something long is still going on, every ten seconds, until the returned function is called.
 * @param {string} about
 * @param {string} text
 */
export function keepSaying(about, text) {
  const timer = setInterval(() => say(about, text), 10_000);
  return () => clearInterval(timer);
}
