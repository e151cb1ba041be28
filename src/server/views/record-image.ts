// Draws the performance record as a small embeddable image: only forward results, with sample sizes.

import type { PresentedRecord } from './record.ts';

const WIDTH = 480;
const HEIGHT = 172;

export function drawRecordImage(record: PresentedRecord): string {
  const { forward, horizon, advice, newest_seal: seal } = record;
  const lead = forward.by_lead.find((row) => row.horizon === horizon);
  const lines: [string, string][] = [
    ['Settled events, forward', String(forward.events)],
    [`Median error ${horizon} h before the close`, withRange(lead?.median_error_pct, lead, '%', 1)],
    ...forward.forecasters.map(({ name, log_score }): [string, string] => [
      `Log score, ${name} (${log_score.events} events)`,
      withRange(log_score.mean, log_score, '', 3),
    ]),
    [
      `Return on advice (${advice.events} events)`,
      withRange(percent(advice.return_on_stake), toPercents(advice), '%', 1),
    ],
  ];
  const rows = lines.map(([name, value], i) => drawRow(name, value, 50 + i * 18));
  const sealed = seal
    ? `sealed ${new Date(seal.hour_ts).toISOString().slice(0, 13)}h ${seal.chain.slice(0, 16)}`
    : 'not sealed yet';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>Tallycast: record of published forecasts</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#ffffff" stroke="#d0d5dd"/>`,
    `<text x="16" y="26" font-size="15" font-weight="600" fill="#101828">Tallycast record${record.account ? `, ${record.account}` : ''}</text>`,
    ...rows,
    `<text x="16" y="${HEIGHT - 12}" font-size="11" fill="#667085">${sealed}; lower scores are better; 90% intervals</text>`,
    '</svg>',
  ].join('\n');
}

function drawRow(name: string, value: string, y: number): string {
  return `<text x="16" y="${y}" fill="#475467">${name}</text><text x="${WIDTH - 16}" y="${y}" text-anchor="end" fill="#101828">${value}</text>`;
}

type Range = { low: number | null; high: number | null };

function withRange(
  value: number | null | undefined,
  range: Range | undefined,
  unit: string,
  digits: number,
): string {
  if (value === null || value === undefined) return 'no sample yet';
  const show = (part: number) => part.toFixed(digits);
  if (range?.low == null || range.high === null) return `${show(value)}${unit}`;
  return `${show(value)}${unit} (${show(range.low)} to ${show(range.high)})`;
}

function percent(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

function toPercents({ low, high }: Range): Range {
  return { low: percent(low), high: percent(high) };
}
