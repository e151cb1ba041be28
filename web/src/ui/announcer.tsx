// Announces changes to screen readers politely, at most once every ten seconds; the newest message wins.

import { useEffect, useState } from 'react';

const PAUSE_MS = 10_000;

let waiting: string | null = null;
let lastSpokenTs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let speak: ((text: string) => void) | null = null;

export function announce(text: string): void {
  waiting = text;
  if (timer !== undefined) return;
  timer = setTimeout(flush, Math.max(0, lastSpokenTs + PAUSE_MS - Date.now()));
}

function flush(): void {
  timer = undefined;
  if (waiting === null) return;
  lastSpokenTs = Date.now();
  speak?.(waiting);
  waiting = null;
}

export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    speak = setText;
    return () => {
      speak = null;
    };
  }, []);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
