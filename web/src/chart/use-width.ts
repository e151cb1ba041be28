// Measures an element's width in pixels, so that drawings keep their text size.

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
