// A simulated process's access to the outside: open, paused, or closed after the process died.

export interface Gate {
  /** Resolves when the process may continue; never after its death. */
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
