// Describes what the doctor found: its findings, and the payload shapes seen for each account.

import type { SeenShapes } from '../sources/doctor/shapes/shape-notebook.ts';
import type { Finding } from '../sources/doctor.ts';
import { toPrintableText } from './text-table.ts';

const MARKS: Record<Finding['verdict'], string> = {
  ok: 'ok      ',
  warning: 'degraded',
  problem: 'PROBLEM ',
};

export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(({ subject, verdict, message, advice }) => [
    `${MARKS[verdict]}  ${subject.padEnd(width)}  ${message}`,
    ...(advice === null ? [] : [`${' '.repeat(MARKS.ok.length + width + 4)}-> ${advice}`]),
  ]);
  return toPrintableText([...lines, '', summarise(findings)].join('\n'));
}

function summarise(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) =>
    findings.filter((finding) => finding.verdict === verdict).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems === 0 && warnings === 0) return 'all checks passed';
  return `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} degraded`;
}

export function describeShapes(shapes: readonly SeenShapes[]): string {
  const subjects = shapes.map(({ account, feed }) => (account === null ? feed : `${account} ${feed}`));
  const width = Math.max(0, ...subjects.map(({ length }) => length));
  const lines = shapes.flatMap((one, i) =>
    describeOne(one).map((text, row) => `${(row === 0 ? subjects[i]! : '').padEnd(width)}  ${text}`),
  );
  return toPrintableText(['payload shapes', ...lines].join('\n'));
}

function describeOne({ seen, notSeen, unknown }: SeenShapes): string[] {
  const count = (shapes: Record<string, number>) =>
    Object.entries(shapes)
      .map(([name, times]) => `${name} (${times})`)
      .join(', ');
  return [
    ...(Object.keys(seen).length > 0 ? [`seen      ${count(seen)}`] : []),
    ...(notSeen.length > 0 ? [`not seen  ${notSeen.join(', ')}`] : []),
    ...(Object.keys(unknown).length > 0 ? [`UNKNOWN   ${count(unknown)} (please report)`] : []),
  ];
}
