// One key's recent calls, newest first.

import type { Envelope, KeyCallRecord, KeyRecord } from '../../api/records.ts';
import { useFetched } from '../../live/use-fetched.ts';
import { Empty, Panel, ScrollTable } from '../../ui/panel.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { formatCount, formatDayTime, formatDecimal } from '../../words/format.ts';

export function KeyCalls({ record }: { record: KeyRecord }) {
  const { data, error, reload } = useFetched<Envelope<KeyCallRecord[]>>({
    path: `/keys/${record.key_id}/calls`,
  });
  return (
    <Panel
      title={`Calls by ${record.label}`}
      aside={
        <button type="button" className="button button-small" onClick={reload}>
          Reload
        </button>
      }
    >
      {data?.data.length ? <CallTable calls={data.data} /> : null}
      {data?.data.length === 0 ? <Empty>No calls yet.</Empty> : null}
      {data ? null : <Empty>{error ? 'Couldn’t load the calls.' : 'Loading…'}</Empty>}
    </Panel>
  );
}

function CallTable({ calls }: { calls: readonly KeyCallRecord[] }) {
  return (
    <ScrollTable label="Call table">
      <table className="table">
        <TableHead
          columns={['When', 'Endpoint', 'Status', 'Requests', 'Duration', 'Message']}
          words={['Endpoint', 'Message']}
        />
        <tbody>
          {calls.map((call) => (
            <tr key={`${call.timestamp} ${call.method} ${call.endpoint} ${call.status_code}`}>
              <th scope="row" className="num">
                {formatDayTime(call.timestamp)}
              </th>
              <td className="text">
                <span className="fine">{call.method}</span> {call.endpoint}
              </td>
              <td className="num">{call.status_code}</td>
              <td className="num">{formatCount(call.requests)}</td>
              <td className="num">{formatDecimal(call.response_ms, 1)} ms</td>
              <td className="text wrap">{call.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollTable>
  );
}
