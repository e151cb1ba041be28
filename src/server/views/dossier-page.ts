// A dossier as a page for people and printers. Texts from outside are escaped; nothing is loaded but one style sheet.

import type { Signature } from '../../runtime/signing.ts';
import type { ShownDossier } from './dossier.ts';

export function writeDossierPage(dossier: ShownDossier, signature: Signature): string {
  const title = `Dossier: ${dossier.event_title}`;
  const parts = [
    `<h1>${escapeText(title)}</h1>`,
    `<p>Event ${dossier.event_id} of ${escapeText(dossier.account)}. Compiled ${toTime(dossier.compiled_ts)}.</p>`,
    '<h2>Why it settled this way</h2>',
    `<ol>${dossier.explanation.map((sentence) => `<li>${escapeText(sentence)}</li>`).join('')}</ol>`,
    ...writeSettlements(dossier),
    ...writeCounts(dossier),
    ...writeDetail(dossier),
    '<h2>Signature</h2>',
    `<p class="code">Ed25519, key ${escapeText(signature.key_id)}<br>${escapeText(signature.value)}</p>`,
    '<p>It covers the JSON of this dossier; docs/dossier.md says how to check it.</p>',
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title><link rel="stylesheet" href="/docs/dossier.css"></head>
<body><main>${parts.join('\n')}</main></body></html>
`;
}

function writeSettlements({ settlements }: ShownDossier): string[] {
  if (settlements.length === 0) return [];
  const rows = settlements.map((row) => [
    ...[row.revision, toTime(row.settled_ts), row.final_count, row.winning_bucket ?? 'unknown', row.source],
  ]);
  return ['<h2>Settlement</h2>', writeTable(['revision', 'time', 'count', 'bucket', 'source'], rows)];
}

function writeCounts({ own_count, oracle_counts, ui_counts, end_ts }: ShownDossier): string[] {
  const late = oracle_counts.filter(({ timestamp }) => timestamp > end_ts);
  const rows = [
    ['ours', own_count],
    [
      'oracle, at the close',
      oracle_counts.findLast(({ timestamp }) => timestamp <= end_ts)?.count ?? 'unknown',
    ],
    ...late.map(({ timestamp, count }) => [`oracle, ${toTime(timestamp)}`, count]),
    ['market page, last', ui_counts.at(-1)?.count ?? 'unknown'],
  ];
  return ['<h2>Counts</h2>', writeTable(['source', 'count'], rows)];
}

function writeDetail({ counts_by_rule, disagreements, posts }: ShownDossier): string[] {
  if (!counts_by_rule || !disagreements || !posts) return [];
  const columns = [
    'id',
    'kind',
    'created',
    'first seen',
    'by',
    'counts',
    'verdict',
    'deleted',
    'oracle import',
  ];
  return [
    '<h2>Counts by rule</h2>',
    writeTable(
      ['rule', 'count'],
      counts_by_rule.map(({ rule, count }) => [rule, count]),
    ),
    '<h2>Disagreements</h2>',
    disagreements.length === 0
      ? '<p>None.</p>'
      : writeTable(
          ['id', 'created', 'what'],
          disagreements.map(({ tweet_id, created_ts, what }) => [tweet_id, toTime(created_ts), what]),
        ),
    '<h2>Posts</h2>',
    writeTable(
      columns,
      posts.map((post) => [
        ...[post.tweet_id, post.kind, toTime(post.created_ts), toTime(post.first_seen_ts)],
        ...[post.first_source ?? '', post.is_counted ? 'yes' : 'no', post.verdict],
        ...[toTime(post.deleted_ts), toTime(post.oracle_imported_ts)],
      ]),
    ),
  ];
}

function writeTable(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const head = columns.map((name) => `<th scope="col">${escapeText(name)}</th>`).join('');
  const body = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${escapeText(String(cell))}</td>`).join('')}</tr>`,
  );
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}

function toTime(ts: number | null): string {
  return ts === null ? '' : `${new Date(ts).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
