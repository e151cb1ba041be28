// Holds an account's view and notifies listeners; batches changes that arrive in a burst.

import type { Missed } from './absence.ts';
import type { AccountState } from './account-state.ts';
import type { Line } from './line.ts';

export interface AccountView {
  state: AccountState;
  line: Line;
  missed: Missed | null;
}

const BATCH_MS = 40;

export interface ViewStore {
  get(): AccountView;
  change(part: Partial<AccountView>): void;
  subscribe(listener: () => void): () => void;
  close(): void;
}

export function createViewStore(state: AccountState): ViewStore {
  let view: AccountView = { state, line: { kind: 'connecting' }, missed: null };
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
