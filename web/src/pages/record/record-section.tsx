// One section of the record: either published or recomputed forecasts, never mixed in one number.

import type { RecordSection as Section } from '../../api/records.ts';
import { Panel, QuietLine } from '../../ui/panel.tsx';
import { formatDay, plural } from '../../words/format.ts';
import { OutcomePlot } from './outcome-plot.tsx';
import { ReliabilityPlot } from './reliability-plot.tsx';
import { HeadToHead, LeadTable } from './score-tables.tsx';

interface Props {
  title: string;
  note: string;
  empty: string;
  section: Section;
}

export function RecordSection({ title, note, empty, section }: Props) {
  if (section.events === 0) return <QuietLine title={title}>{empty}</QuietLine>;
  return (
    <Panel
      title={title}
      aside={<span className="fine num">{plural(section.events, 'settled event')}</span>}
      className="record-section"
    >
      <p className="fine">
        {note}
        {section.first_end_ts && section.last_end_ts
          ? ` ${formatDay(section.first_end_ts)} to ${formatDay(section.last_end_ts)}.`
          : ''}
      </p>
      <Figures section={section} />
    </Panel>
  );
}

function Figures({ section }: { section: Section }) {
  return (
    <>
      <HeadToHead rows={section.forecasters} />
      <div className="record-figures">
        <LeadTable rows={section.by_lead} />
        <figure>
          <figcaption>Forecast vs. outcome; click a point to replay its event</figcaption>
          <OutcomePlot points={section.points} />
        </figure>
        <figure>
          <figcaption>Reliability: predicted vs. observed, with 90% intervals</figcaption>
          <ReliabilityPlot bins={section.reliability.map((bin) => ({ ...bin, count: bin.buckets }))} />
        </figure>
      </div>
    </>
  );
}
