// Panning and zooming in time by drag, wheel or keys, within the data. At most one redraw per frame.

import type uPlot from 'uplot';

export interface Extent {
  min: number;
  max: number;
}

export interface PanZoom {
  show(extent: Extent): void;
  setBounds(bounds: Extent): void;
  stop(): void;
}

const SHORTEST_S = 1_800;

export function attachPanZoom(plot: uPlot, focusable: HTMLElement, firstBounds: Extent): PanZoom {
  let bounds = firstBounds;
  let wanted: Extent | null = null;
  let frame = 0;
  const stopped = new AbortController();
  const { signal } = stopped;

  function current(): Extent {
    return wanted ?? { min: plot.scales.x!.min ?? bounds.min, max: plot.scales.x!.max ?? bounds.max };
  }

  function show(extent: Extent): void {
    wanted = hold(extent, bounds);
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (wanted) plot.setScale('x', wanted);
      wanted = null;
    });
  }

  function shift(seconds: number): void {
    const { min, max } = current();
    show({ min: min + seconds, max: max + seconds });
  }

  function zoom(factor: number, around = 0.5): void {
    const { min, max } = current();
    const length = Math.max(SHORTEST_S, Math.min((max - min) * factor, bounds.max - bounds.min));
    const centre = min + (max - min) * around;
    show({ min: centre - length * around, max: centre + length * (1 - around) });
  }

  attachDrag(plot.over, signal, (pixels) => {
    const { min, max } = current();
    shift(((max - min) * -pixels) / plot.over.clientWidth);
  });
  plot.over.addEventListener(
    'wheel',
    (event) => {
      // A plain wheel scrolls the page; with a modifier or sideways it zooms or pans the chart.
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, event.offsetX / plot.over.clientWidth);
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        const { min, max } = current();
        shift(((max - min) * event.deltaX) / plot.over.clientWidth);
      }
    },
    { signal, passive: false },
  );
  focusable.addEventListener('keydown', (event) => onKey(event), { signal });

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (current().max - current().min) / 10;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => shift(-step),
      ArrowRight: () => shift(step),
      '+': () => zoom(0.8),
      '=': () => zoom(0.8),
      '-': () => zoom(1.25),
      '0': () => show(bounds),
      Home: () => show({ min: bounds.min, max: bounds.min + step * 10 }),
      End: () => show({ min: bounds.max - step * 10, max: bounds.max }),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  return {
    show,
    setBounds(next) {
      bounds = next;
    },
    stop() {
      stopped.abort();
      cancelAnimationFrame(frame);
    },
  };
}

export function hold({ min, max }: Extent, bounds: Extent): Extent {
  const length = Math.min(max - min, bounds.max - bounds.min);
  const from = Math.min(Math.max(min, bounds.min), bounds.max - length);
  return { min: from, max: from + length };
}

function attachDrag(element: HTMLElement, signal: AbortSignal, onMove: (pixels: number) => void): void {
  let lastX: number | null = null;
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      lastX = event.clientX;
      element.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      if (lastX === null) return;
      onMove(event.clientX - lastX);
      lastX = event.clientX;
    },
    { signal },
  );
  for (const name of ['pointerup', 'pointercancel'] as const) {
    element.addEventListener(name, () => (lastX = null), { signal });
  }
}
