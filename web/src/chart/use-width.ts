// Sizes of drawings: an element's width in pixels, so that text keeps its size, and round axis maximums.

import { useEffect, useRef, useState } from 'react';

export function useWidth<T extends HTMLElement>(
  first: number,
): { ref: React.RefObject<T | null>; width: number } {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(160, Math.floor(element.clientWidth))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** Rounds an axis maximum up, so that half of it is also a round number. */
export function niceTop(value: number): number {
  return roundUp(value, [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]);
}

/** Rounds up to one of the steps times a power of ten. */
export function roundUp(value: number, steps: readonly number[]): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * (steps.find((step) => step * unit >= value) ?? 10);
}
