/** What distinguishes one series of a metric from the others, by name. Never what customers choose: each combination is stored for good. */
export type Labels = Readonly<Record<string, string>>;

/** A series of a gauge and its value now. */
export interface Sample {
  labels?: Labels;
  value: number;
}

interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  lines(): Promise<string[]> | string[];
}

/** Numbers of one process, in the text format that Prometheus reads (0.0.4). Seconds and bytes, as its conventions ask. */
export class Metrics {
  readonly #metrics: Metric[] = [];

  /** Counts what happens. */
  counter(name: string, help: string): { add(labels: Labels, by?: number): void } {
    const values = new Map<string, number>();
    this.#metrics.push({
      name,
      help,
      type: "counter",
      lines: () => [...values].map(([labels, value]) => `${name}${labels} ${value}`),
    });
    return {
      add(labels, by = 1) {
        const key = write(labels);
        values.set(key, (values.get(key) ?? 0) + by);
      },
    };
  }

  /** Counts how often a number was at most each of `bounds`, which ascend. */
  histogram(name: string, help: string, bounds: readonly number[]): { observe(labels: Labels, value: number): void } {
    const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
    this.#metrics.push({
      name,
      help,
      type: "histogram",
      lines: () =>
        [...series.values()].flatMap(({ labels, counts, sum, count }) => [
          ...bounds.map((bound, place) => `${name}_bucket${write({ ...labels, le: String(bound) })} ${counts[place]}`),
          `${name}_bucket${write({ ...labels, le: "+Inf" })} ${count}`,
          `${name}_sum${write(labels)} ${sum}`,
          `${name}_count${write(labels)} ${count}`,
        ]),
    });
    return {
      observe(labels, value) {
        const key = write(labels);
        const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
        series.set(key, one);
        for (const [place, bound] of bounds.entries())
          if (value <= bound) one.counts[place] = (one.counts[place] ?? 0) + 1;
        one.sum += value;
        one.count++;
      },
    };
  }

  /** Is read when somebody asks. One that cannot be read is left out, so that the others still show what is wrong. */
  gauge(
    name: string,
    help: string,
    read: () => Promise<readonly Sample[]> | readonly Sample[],
    type: "gauge" | "counter" = "gauge",
  ): void {
    const lines = async () => (await read()).map(({ labels = {}, value }) => `${name}${write(labels)} ${value}`);
    this.#metrics.push({ name, help, type, lines });
  }

  async text(): Promise<string> {
    const parts = await Promise.all(
      this.#metrics.map(async ({ name, help, type, lines }) => {
        const samples = await (async () => lines())().catch((): string[] => []);
        return samples.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
      }),
    );
    return `${parts.flat().join("\n")}\n`;
  }
}

const escapes: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

function write(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, (sign) => escapes[sign] ?? sign)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
