// Describes what the doctor found.

import { plural } from '../domain/units.ts';
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
  return `${plural(problems, 'problem')}, ${warnings} degraded`;
}
