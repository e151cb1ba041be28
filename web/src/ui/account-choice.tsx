// Selects the account a page shows.

import { useState } from 'react';
import { useLive } from '../live/live-context.tsx';
import { Choice } from './panel.tsx';

export function useAccountChoice(): { account: string | null; control: React.ReactNode } {
  const { config } = useLive();
  const [chosen, setChosen] = useState<string | null>(null);
  const accounts = config?.accounts ?? [];
  const account = chosen ?? accounts[0]?.segment ?? null;
  const control = account ? (
    <Choice
      label="Account"
      options={accounts.map(({ segment, label }) => ({ value: segment, label }))}
      value={account}
      onChange={setChosen}
    />
  ) : null;
  return { account, control };
}
