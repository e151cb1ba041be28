// Offers an alert at the place that was clicked in a chart, sent to all of the key's channels.

import { useRef, useState } from 'react';
import type { ChannelRecord, RuleRecord } from '../../api/records.ts';
import { describeError, fetchJson } from '../../api/request.ts';
import { hrefTo } from '../../route.ts';
import { SmallButton } from '../../ui/button.tsx';
import { postJson } from '../alerts/post-json.ts';

export interface PickedAlert {
  kind: RuleRecord['kind'];
  threshold: number;
  /** Completes "Alert me when". */
  words: string;
}

interface Props {
  account: string;
  eventId: number;
  picked: PickedAlert;
  onEnd: () => void;
}

export function AlertOffer({ picked, ...rest }: Omit<Props, 'picked'> & { picked: PickedAlert | null }) {
  return picked ? <Offer key={picked.words} picked={picked} {...rest} /> : null;
}

function Offer({ account, eventId, picked, onEnd }: Props) {
  const [result, setResult] = useState<string | null>(null);
  const isBusy = useRef(false);
  async function add(): Promise<void> {
    // The second click of a double click.
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      const channels = await fetchJson<{ data: ChannelRecord[] }>('/channels');
      const ids = channels.data.map(({ channel_id }) => channel_id).join(',');
      const { kind, threshold } = picked;
      await postJson('/rules', { kind, threshold, account, event_id: eventId, channels: ids });
      setResult(ids === '' ? 'Added; without a channel it is only listed.' : 'Added.');
    } catch (error) {
      setResult(describeError(error));
    }
  }
  return (
    <div className="alert-offer button-row" role="status">
      <span className="num">Alert me when {picked.words}.</span>
      {result === null ? (
        <SmallButton onClick={() => void add()}>Add alert</SmallButton>
      ) : (
        <span>
          {result} <a href={hrefTo('alerts')}>Alerts</a>
        </span>
      )}
      <SmallButton onClick={onEnd}>{result === null ? 'Cancel' : 'Close'}</SmallButton>
    </div>
  );
}
