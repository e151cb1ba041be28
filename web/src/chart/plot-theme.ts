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
  // A canvas cannot read light-dark(), so the browser resolves each token as the colour of a probe.
  const probe = element.appendChild(document.createElement('span'));
  const token = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const theme = {
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
  probe.remove();
  return theme;
}

/** Called when the colours may have changed. */
export function onThemeChange(listener: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
