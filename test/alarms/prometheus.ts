// Writes scrapes as promtool test input, and checks which alarms fire when.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder } from '../support/temp-store.ts';

/** The scraped text; null if the service did not respond. */
export type Scrape = string | null;

/** Alarms expected to fire after this many scrapes. */
export interface Expectation {
  scrape: number;
  firing: readonly string[];
}

export const RULES = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus', 'rules.yml');
export const SCRAPE_EVERY_S = 30;
const LABELS = 'job="tallycast",instance="one"';

/** What was scraped during one fault, and which alarms had to fire. */
export interface Course {
  name: string;
  scrapes: readonly Scrape[];
  expectations: readonly Expectation[];
}

/** Returns promtool's message; empty if every expectation is met. */
export function judgeAlarms(promtool: string, courses: readonly Course[]): string {
  const folder = makeTempFolder('alarms');
  const file = join(folder, 'test.json');
  const evaluation_interval = `${SCRAPE_EVERY_S}s`;
  // Valid, because JSON is a subset of YAML.
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [RULES], evaluation_interval, tests: courses.map(writeTest) }),
  );
  const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

function writeTest({ name, scrapes, expectations }: Course) {
  return {
    name,
    interval: `${SCRAPE_EVERY_S}s`,
    input_series: [...listSeries(scrapes)].map(([series, values]) => ({ series, values: values.join(' ') })),
    promql_expr_test: expectations.map(({ scrape, firing }) => ({
      expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${scrape * SCRAPE_EVERY_S}s`,
      exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    })),
  };
}

/** Every series used by a rule, with one value per scrape, `_` if missing. */
function listSeries(scrapes: readonly Scrape[]): Map<string, string[]> {
  const asked = new Set(readFileSync(RULES, 'utf8').match(/tallycast_\w+/g));
  const series = new Map<string, string[]>();
  const put = (name: string, at: number, value: string) => {
    const values = series.get(name) ?? scrapes.map(() => '_');
    values[at] = value;
    series.set(name, values);
  };
  scrapes.forEach((text, at) => {
    put(`up{${LABELS}}`, at, text === null ? '0' : '1');
    for (const [, name, labels, value] of (text ?? '').matchAll(/^(tallycast_\w+)(?:\{(.*)\})? (\S+)$/gm))
      if (asked.has(name!)) put(`${name}{${labels ? `${labels},` : ''}${LABELS}}`, at, value!);
  });
  return series;
}
