const started = performance.now();

/**
 * Prints a line of progress: the topic, the text, and the seconds since the command started.
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

/**
 * Prints a line every ten seconds, for something that takes long, until the returned function is called.
 * @param {string} about
 * @param {string} text
 */
export function sayRepeatedly(about, text) {
  const timer = setInterval(() => say(about, text), 10_000);
  return () => clearInterval(timer);
}
