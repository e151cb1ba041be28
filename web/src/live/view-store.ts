// Holds an account's view and notifies listeners; batches changes that arrive in a burst.

import type { AccountState } from './account-state.ts';

export interface AccountView {
  state: AccountState;
  line: Line;
}

const BATCH_MS = 40;

export interface ViewStore {
  get(): AccountView;
  change(part: Partial<AccountView>): void;
  subscribe(listener: () => void): () => void;
  close(): void;
}

export function createViewStore(state: AccountState): ViewStore {
  let view: AccountView = { state, line: { kind: 'connecting' } };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const listeners = new Set<() => void>();
  return {
    get: () => view,
    change(part) {
      if (isClosed) return;
      view = { ...view, ...part };
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const listener of listeners) listener();
      }, BATCH_MS);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

export type Line =
  /** `sinceTs` is set while numbers from an earlier connection are shown. */
  | { kind: 'connecting'; sinceTs?: number | undefined }
  | { kind: 'live' }
  | { kind: 'polling'; everyMs: number }
  /** Connected but silent, e.g. a frozen service or a broken network. */
  | { kind: 'silent'; sinceTs: number }
  | { kind: 'down'; reason: string; retryTs: number; sinceTs: number }
  | { kind: 'limited'; retryTs: number }
  | { kind: 'refused' };

/** After this long without a message, numbers are out of date; the service sends something every 3 s. */
export const SILENT_AFTER_MS = 4_500;

/** When the service went silent; null while data is current. */
export function silentSince(line: Line): number | null {
  if (line.kind === 'silent' || line.kind === 'down') return line.sinceTs;
  return line.kind === 'connecting' ? (line.sinceTs ?? null) : null;
}
