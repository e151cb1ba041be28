// Button that issues a demo key. Hidden on live data.

import { useState } from 'react';
import { setKey } from '../api/access.ts';
import { fetchDemoKey } from '../api/request.ts';
import { useAccess, useLive } from '../live/live-context.tsx';

export function DemoKeyButton({ className = 'button' }: { className?: string }) {
  const { config } = useLive();
  const { key, refused } = useAccess();
  const [problem, setProblem] = useState<string | null>(null);
  if (!config?.demo_key || (key && !refused)) return null;

  async function take(): Promise<void> {
    setProblem(null);
    try {
      setKey(await fetchDemoKey());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <>
      <button type="button" className={className} onClick={() => void take()}>
        Use the demo key
      </button>
      {problem ? <span role="alert">{problem}</span> : null}
    </>
  );
}
