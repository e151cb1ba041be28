// Explains why an event settled as it did, for reading and printing. Content depends on the caller's tier.

import { saveFile } from '../../api/csv.ts';
import type { DossierRecord, SignedDossier } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { hrefTo } from '../../route.ts';
import { SmallButton } from '../../ui/button.tsx';
import { Empty, Failure, PageHead, Panel, ProNote, ScrollTable, TableHead } from '../../ui/panel.tsx';
import { formatUtc } from '../../words/format.ts';

interface Props {
  account: string;
  eventId: string;
}

export function DossierPage({ account, eventId }: Props) {
  const path = `/history/${account}/${encodeURIComponent(eventId)}/dossier`;
  const { data, error } = useFetched<{ data: SignedDossier }>({ path });
  return (
    <div className="dossier">
      <PageHead title={data ? `Dossier: ${data.data.dossier.event_title}` : `Dossier for event ${eventId}`}>
        <p className="screen-only">
          <a href={hrefTo('event', account, eventId)}>Back to the event</a>
        </p>
        {data ? (
          <p className="num">
            Event {eventId} of {account}. Compiled {formatUtc(data.data.dossier.compiled_ts)}.
          </p>
        ) : null}
      </PageHead>
      {error ? <Failure error={error} /> : null}
      {data ? <Dossier signed={data.data} /> : error ? null : <Empty>Loading…</Empty>}
    </div>
  );
}

function Dossier({ signed }: { signed: SignedDossier }) {
  const { dossier, signature } = signed;
  return (
    <div className="stack">
      <Panel title="Why it settled this way" aside={<Actions signed={signed} />}>
        <ol className="dossier-reasons">
          {dossier.explanation.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
      </Panel>
      <Rows title="Settlement" columns={['Revision', 'Time', 'Count', 'Bucket', 'Source']}>
        {dossier.settlements.map((row) => [
          ...[row.revision, formatUtc(row.settled_ts), row.final_count],
          ...[row.winning_bucket ?? 'unknown', row.source],
        ])}
      </Rows>
      <Rows title="Counts" columns={['Source', 'Count']}>
        {listCounts(dossier)}
      </Rows>
      <Detail dossier={dossier} />
      <Panel title="Signature">
        <p className="fine dossier-code">
          Ed25519, key {signature.key_id}
          <br />
          {signature.value}
        </p>
        <p className="fine">The signature covers this dossier’s JSON as served to your key.</p>
      </Panel>
    </div>
  );
}

function Actions({ signed }: { signed: SignedDossier }) {
  const { account, event_id } = signed.dossier;
  const save = () =>
    saveFile(JSON.stringify({ data: signed }), 'application/json', `dossier-${account}-${event_id}.json`);
  return (
    <div className="button-row screen-only">
      <SmallButton onClick={save}>Save signed JSON</SmallButton>
      <SmallButton onClick={() => window.print()}>Print</SmallButton>
    </div>
  );
}

function Detail({ dossier: { counts_by_rule, disagreements, posts } }: { dossier: DossierRecord }) {
  if (!counts_by_rule || !disagreements || !posts)
    return <ProNote>adds every post with its verdict, counts by rule, and disagreements.</ProNote>;
  return (
    <>
      <Rows title="Counts by rule" columns={['Rule', 'Count']}>
        {counts_by_rule.map(({ rule, count }) => [rule, count])}
      </Rows>
      <Rows title="Disagreements" columns={['Post', 'Created', 'Difference']} empty="None.">
        {disagreements.map(({ tweet_id, created_ts, what }) => [tweet_id, formatUtc(created_ts), what])}
      </Rows>
      <Rows title="Posts" columns={POST_COLUMNS} empty="None.">
        {posts.map((post) => [
          ...[post.tweet_id, post.kind, formatUtc(post.created_ts), formatUtc(post.first_seen_ts)],
          ...[post.first_source ?? '', post.is_counted ? 'yes' : 'no', post.verdict],
          ...[formatUtc(post.deleted_ts), formatUtc(post.oracle_imported_ts)],
        ])}
      </Rows>
    </>
  );
}

const POST_COLUMNS = [
  ...['Post', 'Kind', 'Created', 'First seen', 'Seen by', 'Counts', 'Verdict', 'Deleted', 'Oracle import'],
];

interface RowsProps {
  title: string;
  columns: readonly string[];
  /** Text for an empty table; without it, an empty section is omitted. */
  empty?: string;
  children: readonly (readonly (string | number)[])[];
}

function Rows({ title, columns, empty, children }: RowsProps) {
  if (children.length === 0 && !empty) return null;
  return (
    <Panel title={title}>
      {children.length === 0 ? (
        <Empty>{empty}</Empty>
      ) : (
        <ScrollTable label={`${title} table`}>
          <table className="table">
            <TableHead columns={columns} words={columns} />
            <tbody>
              {children.map((cells) => (
                <tr key={cells.join(' ')}>
                  {cells.map((cell, i) => (
                    <td key={columns[i]} className="text num">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollTable>
      )}
    </Panel>
  );
}

/** Lists the oracle's last count that was read by the close, and each later change. */
function listCounts({ own_count, oracle_counts, ui_counts, end_ts }: DossierRecord): (string | number)[][] {
  const byClose = oracle_counts.findLast(({ timestamp }) => timestamp <= end_ts);
  const later = oracle_counts.filter(({ timestamp }) => timestamp > end_ts);
  return [
    ['Ours', own_count],
    ['Oracle, last read by the close', byClose?.count ?? 'unknown'],
    ...later.map(({ timestamp, count }) => [`Oracle, ${formatUtc(timestamp)}`, count]),
    ['Market page, last', ui_counts.at(-1)?.count ?? 'unknown'],
  ];
}
