// Where a pretended process meets the outside: open, shut while it is paused, walled up when it is dead.

export interface Gate {
  /** Resolves when the process may go on; never, once it is dead. */
  pass(): Promise<void>;
  isOpen(): boolean;
  shut(): void;
  open(): void;
  wallUp(): void;
}

export function createGate(): Gate {
  let waiting: (() => void)[] = [];
  let state: 'open' | 'shut' | 'walled' = 'open';

  return {
    isOpen: () => state === 'open',
    pass() {
      if (state === 'open') return Promise.resolve();
      return new Promise((resolve) => {
        if (state === 'shut') waiting.push(resolve);
      });
    },
    shut() {
      if (state === 'open') state = 'shut';
    },
    open() {
      if (state !== 'shut') return;
      state = 'open';
      const released = waiting;
      waiting = [];
      for (const go of released) go();
    },
    wallUp() {
      state = 'walled';
      waiting = [];
    },
  };
}
