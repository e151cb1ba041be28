// What today's advice rests on: events by origin, never added up, and how much of the weight is the prior.

import type { RecordAnswer } from '../../api/records.ts';
import { useLabels } from '../../live/live-context.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { formatDecimal, formatPoints } from '../../words/format.ts';
import { Estimate } from './score-tables.tsx';

type Evidence = RecordAnswer['evidence'][number];
type Rule = Evidence['rules'][number];

export function EvidencePanel({ rows }: { rows: readonly Evidence[] }) {
  const labelOf = useLabels();
  return (
    <Panel title="What the advice rests on" className="evidence-panel">
      <DataTable
        label="Evidence by account"
        caption="Weight of the model against the market: 0 is the market alone, 1 the model alone; 90% intervals"
        rows={rows}
        keyOf={({ account }) => account}
        columns={[
          { name: 'Account', className: '', cell: ({ account }) => labelOf(account) },
          { name: 'Past events', cell: ({ past_events }) => past_events },
          { name: 'Our own', cell: ({ own_events }) => own_events },
          { name: 'Shipped', cell: ({ shipped_ladders }) => shipped_ladders },
          { name: 'Prior', cell: ({ prior_share }) => `${formatDecimal(100 * prior_share, 0)}%` },
          { name: 'Model above', cell: ({ weights }) => <Weight estimate={weights[0]} /> },
          { name: 'Model below', cell: ({ weights }) => <Weight estimate={weights[1]} /> },
          { name: 'Events alone', cell: ({ unaided }) => <Weight estimate={unaided} /> },
        ]}
      />
      <RuleTable rows={rows} />
      <ul className="fine">
        {rows.map(({ account, sentence }) => (
          <li key={account}>
            {labelOf(account)}: {sentence}
          </li>
        ))}
      </ul>
      <p className="fine">
        Past events were read from the venue and recomputed with data available at the time; our own were
        published before the outcome. Events of other accounts count half.
      </p>
    </Panel>
  );
}

interface ShownRule extends Rule {
  account: string;
}

/** Recomputed and forward results side by side; permission rests on both. */
function RuleTable({ rows }: { rows: readonly Evidence[] }) {
  const labelOf = useLabels();
  const rules = rows.flatMap(({ account, rules: own }) =>
    own.map((rule): ShownRule => ({ account, ...rule })),
  );
  if (rules.length === 0) return null;
  return (
    <DataTable
      label="Rules"
      caption="One share per bet, after spread and fee, on events that the rule was not chosen on. A rule may advise once its 90% interval is above zero on 20 events of 8 weeks"
      rows={rules}
      keyOf={({ account, rule, venue }) => `${account} ${rule} ${venue}`}
      columns={[
        { name: 'Account', className: 'text', cell: ({ account }) => labelOf(account) },
        {
          name: 'Rule',
          className: 'text',
          cell: ({ rule, definition }) => <abbr title={definition}>{rule}</abbr>,
        },
        { name: 'Venue', className: 'text', cell: ({ venue }) => venue },
        { name: 'Past events', cell: ({ recomputed }) => recomputed.events },
        { name: 'Past, ¢ per share', cell: ({ recomputed }) => describeGain(recomputed) },
        { name: 'Our own', cell: ({ forward }) => forward.events },
        { name: 'Own, ¢ per share', cell: ({ forward }) => describeGain(forward) },
        { name: 'May advise', className: 'text', cell: ({ may_advise: may }) => (may ? 'yes' : 'no') },
      ]}
    />
  );
}

function describeGain({ usd_per_share: usd, low, high }: Rule['forward']): string {
  if (usd === null) return '–';
  return low === null
    ? formatPoints(usd)
    : `${formatPoints(usd)} (${formatPoints(low)} to ${formatPoints(high)})`;
}

const weight = (value: number | null) => formatDecimal(value, 2);

function Weight({ estimate }: { estimate: Evidence['unaided'] | undefined }) {
  return estimate ? <Estimate {...estimate} mean={estimate.weight} format={weight} /> : '–';
}
