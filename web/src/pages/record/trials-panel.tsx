// Rules under test, and what a faster source would have been worth.

import type { RecordAnswer } from '../../api/records.ts';
import { useLabels } from '../../live/live-context.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel, QuietLine } from '../../ui/panel.tsx';
import { formatDay, formatDecimal, formatPoints, formatProbability, formatUsd } from '../../words/format.ts';

type Trial = RecordAnswer['trials'][number];
type Result = Trial['result'];

export function TrialsPanel({ trials }: { trials: readonly Trial[] }) {
  if (trials.length === 0) return <QuietLine title="Rules under test">No rule is registered yet.</QuietLine>;
  const earlier = trials.filter(({ before_registration: before }) => before.bets > 0);
  return (
    <Panel
      title="Rules under test"
      aside={<span className="fine">one share per bet, after spread and fee</span>}
    >
      <p className="fine">
        Each rule is defined and sealed before it is judged, on events that begin later. A trial is decided
        once, at its number of events: passed if the 90% interval of profit per share is above zero. Only a
        passed rule may advise.
      </p>
      <DataTable
        label="Trials of rules"
        rows={trials}
        keyOf={({ hash }) => hash}
        marks={({ status }) => ({ 'data-status': status })}
        columns={[
          {
            name: 'Rule',
            className: 'text',
            cell: ({ rule, definition }) => <abbr title={definition}>{rule}</abbr>,
          },
          { name: 'Status', className: 'text', cell: ({ status }) => status },
          { name: 'Registered', cell: ({ registered_ts: ts }) => formatDay(ts) },
          { name: 'Events', cell: ({ result, events_needed: needed }) => `${result.events} of ${needed}` },
          { name: 'Open bets', cell: ({ open_bets: open }) => open },
          ...resultColumns(({ result }: Trial) => result),
        ]}
      />
      {earlier.length > 0 ? (
        <DataTable
          label="Rules before registration"
          caption="Before registration, recomputed at an assumed half-spread of 1¢: not evidence for the trial"
          rows={earlier}
          keyOf={({ hash }) => hash}
          columns={[
            { name: 'Rule', className: 'text', cell: ({ rule }) => rule },
            { name: 'Events', cell: ({ before_registration: before }) => before.events },
            { name: 'Bets', cell: ({ before_registration: before }) => before.bets },
            ...resultColumns(({ before_registration: before }: Trial) => before),
          ]}
        />
      ) : null}
    </Panel>
  );
}

function resultColumns(resultOf: (trial: Trial) => Result) {
  return [
    { name: 'Predicted', cell: (trial: Trial) => formatProbability(resultOf(trial).said) },
    { name: 'Price', cell: (trial: Trial) => formatProbability(resultOf(trial).price) },
    { name: 'Observed', cell: (trial: Trial) => formatProbability(resultOf(trial).came) },
    { name: '¢ per share', cell: (trial: Trial) => describeGain(resultOf(trial)) },
  ];
}

function describeGain({ cents_per_share: cents, low, high }: Result): string {
  if (cents === null) return '–';
  const signed = (value: number | null) => formatPoints(value === null ? null : value / 100);
  return low === null ? signed(cents) : `${signed(cents)} (${signed(low)} to ${signed(high)})`;
}

export function SpeedPanel({ speed }: { speed: RecordAnswer['speed'] }) {
  const labelOf = useLabels();
  const delays = speed[0]?.by_delay ?? [];
  if (delays.length === 0) return null;
  return (
    <Panel title="What speed is worth" aside={<span className="fine">USD, all settled events</span>}>
      <DataTable
        label="Worth of speed"
        caption="Traded at prices that contradict the count, at least this long after the deciding post"
        rows={speed}
        keyOf={({ account }) => account}
        columns={[
          { name: 'Account', className: 'text', cell: ({ account }) => labelOf(account) },
          { name: 'Events', cell: ({ events }) => events },
          { name: 'Buckets', cell: ({ decided }) => decided },
          ...delays.map(({ delay_s: delayS }, k) => ({
            name: `${formatDecimal(delayS, delayS % 1 === 0 ? 0 : 1)} s`,
            cell: ({ by_delay }: RecordAnswer['speed'][number]) => formatUsd(by_delay[k]?.usd ?? null),
          })),
        ]}
      />
    </Panel>
  );
}
