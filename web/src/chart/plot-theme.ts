// Canvas colours, read from the page's CSS tokens, so that both themes follow the style sheet.

export interface PlotTheme {
  ink: string;
  faint: string;
  grid: string;
  own: string;
  ownFill: string;
  fan: string;
  pace: string;
  market: string;
  font: string;
}

export function readPlotTheme(element: HTMLElement): PlotTheme {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: token('--ink-2'),
    faint: token('--ink-3'),
    grid: token('--line'),
    own: token('--own'),
    ownFill: token('--own-wash'),
    fan: token('--own-fan'),
    pace: token('--ink-3'),
    market: token('--market'),
    font: `12px ${style.fontFamily}`,
  };
}

/** Called when the colours may have changed. */
export function onThemeChange(listener: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
