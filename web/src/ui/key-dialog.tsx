// Dialog to enter or remove a key. It is stored only in this tab's session storage.

import { useEffect, useRef, useState } from 'react';
import { setKey } from '../api/access.ts';
import { useAccess } from '../live/live-context.tsx';

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
          <button type="submit" className="button button-main" disabled={!draft.trim()}>
            Use this key
          </button>
          {key ? (
            <button type="button" className="button" onClick={() => finish(null)}>
              Remove key
            </button>
          ) : null}
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
