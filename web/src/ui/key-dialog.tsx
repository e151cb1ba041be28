// Dialog to enter or remove a key, stored only in this tab's session storage, and the button for a demo key.

import { useEffect, useRef, useState } from 'react';
import { setKey } from '../api/access.ts';
import { fetchDemoKey } from '../api/request.ts';
import { useAccess, useLive } from '../live/live-context.tsx';
import { Button, MainButton, useAction } from './button.tsx';

const OPEN_EVENT = 'tallycast:key';

export function openKeyDialog(): void {
  window.dispatchEvent(new Event(OPEN_EVENT));
}

export function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { key } = useAccess();
  const [draft, setDraft] = useState('');
  useEffect(() => {
    const open = () => {
      setDraft('');
      dialog.current?.showModal();
    };
    window.addEventListener(OPEN_EVENT, open);
    return () => window.removeEventListener(OPEN_EVENT, open);
  }, []);
  const finish = (next: string | null) => {
    setKey(next);
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="key-title">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.trim()) finish(draft);
        }}
      >
        <h2 id="key-title">API key</h2>
        <p>Stored in this tab only and sent only to this service. Closing the tab deletes it.</p>
        <label className="field">
          <span>Key</span>
          <input
            type="password"
            name="key"
            autoComplete="off"
            spellCheck={false}
            placeholder="tc_pro_…"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        </label>
        <div className="button-row">
          <MainButton type="submit" disabled={!draft.trim()}>
            Use this key
          </MainButton>
          {key ? <Button onClick={() => finish(null)}>Remove key</Button> : null}
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        </div>
      </form>
    </dialog>
  );
}

export function DemoKeyButton({ as: Shown = Button }: { as?: typeof Button }) {
  const { config } = useLive();
  const { key, refused } = useAccess();
  const { run, alert } = useAction(async () => setKey(await fetchDemoKey()));
  if (!config?.demo_key || (key && !refused)) return null;
  return (
    <>
      <Shown onClick={run}>Use the demo key</Shown>
      {alert}
    </>
  );
}
