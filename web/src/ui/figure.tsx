// A number that changes in place: its box never moves, and a short tint marks the change.

import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../words/format.ts';

export function Figure({ value }: { value: number | null }) {
  const previous = useRef(value);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (previous.current === value) return;
    previous.current = value;
    setTurn((count) => count + 1);
  }, [value]);
  return (
    <span className="figure num" data-turn={turn === 0 ? undefined : turn % 2 ? 'odd' : 'even'}>
      {formatCount(value)}
    </span>
  );
}
