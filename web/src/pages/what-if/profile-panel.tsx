// The account's posting habits over the last 7, 14 and 30 days, by hour and by weekday.

import { useState } from 'react';
import type { ProfileRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Choice, Empty, Fact, Failure, Panel } from '../../ui/panel.tsx';
import { formatCount, formatDecimal } from '../../words/format.ts';
import { getZoneName } from '../../words/zone.ts';

const SPANS = [7, 14, 30].map((days) => ({ value: days, label: `${days} d` }));
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const HOURS_OF_DAY = 24;

export function ProfilePanel({ account }: { account: string }) {
  const [days, setDays] = useState(30);
  const tz = getZoneName();
  const { data, error } = useFetched<{ data: ProfileRecord }>({
    path: `/meta/${account}/profile`,
    query: { days, tz },
  });
  const profile = data?.data;
  return (
    <Panel
      title="Habits"
      className="profile"
      aside={<Choice label="Look back" options={SPANS} value={days} onChange={setDays} />}
    >
      {error ? <Failure error={error} hasOld={profile !== undefined} /> : null}
      {!profile && !error ? <Empty>Loading…</Empty> : null}
      {profile ? (
        <>
          <dl className="facts">
            {profile.look_backs.map((row) => (
              <Fact
                key={row.days}
                name={`Last ${row.days} days`}
                value={formatCount(row.counted)}
                remark={`${formatDecimal(row.counted_per_day, 1)} a day`}
              />
            ))}
          </dl>
          <div className="profile-charts">
            <Bars
              caption={`Counted posts per hour, by hour of the day, ${tz}`}
              bars={profile.by_hour.map((row) => ({
                name: String(row.hour).padStart(2, '0'),
                value: row.counted_per_hour,
              }))}
            />
            <Bars
              caption="Counted posts per day, by weekday"
              bars={profile.by_weekday.map((row) => ({
                name: WEEKDAYS[row.weekday]!,
                value: row.counted_per_hour * HOURS_OF_DAY,
              }))}
            />
          </div>
        </>
      ) : null}
    </Panel>
  );
}

/** A table styled as a bar chart. */
function Bars({ caption, bars }: { caption: string; bars: readonly { name: string; value: number }[] }) {
  const largest = Math.max(1e-9, ...bars.map(({ value }) => value));
  return (
    <table className="bars">
      <caption className="fine">{caption}</caption>
      <tbody>
        {bars.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row" className="num">
              {name}
            </th>
            <td className="bars-cell">
              <span
                className="bar bar-model"
                style={{ inlineSize: `${Math.round((value / largest) * 1000) / 10}%` }}
              />
            </td>
            <td className="num">{formatDecimal(value, 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
