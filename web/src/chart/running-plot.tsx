// The running count on its canvas.

import { useCallback, useMemo, useRef } from 'react';
import { formatCount, formatDayTime } from '../words/format.ts';
import type { RunningData } from './running-data.ts';
import { createRunningOptions, type Ruled, toAligned } from './running-options.ts';
import { TimePlot } from './time-plot.tsx';
import type { TipLine, TipText } from './tip.ts';

interface Props {
  data: RunningData;
  bucketBounds: readonly number[];
  /** How far back to show from now; null for the whole window. */
  spanMs: number | null;
  label: string;
}

export function RunningPlot({ data, bucketBounds, spanMs, label }: Props) {
  const ruled = useRef<Ruled>({ data, bucketBounds });
  ruled.current = { data, bucketBounds };
  const createOptions = useCallback(
    (...[size, theme]: [{ width: number; height: number }, Parameters<typeof createRunningOptions>[1]]) =>
      createRunningOptions(size, theme, () => ruled.current),
    [],
  );
  const aligned = useMemo(() => toAligned(data), [data]);
  return (
    <TimePlot
      data={aligned}
      bounds={{ min: data.startS, max: data.endS }}
      shown={chooseShown(data, spanMs)}
      jump={String(spanMs)}
      createOptions={createOptions}
      describe={(index) => describe(data, index)}
      label={label}
    />
  );
}

function chooseShown({ nowS, startS, endS }: RunningData, spanMs: number | null) {
  if (spanMs === null) return { min: startS, max: endS };
  return { min: Math.max(startS, nowS - spanMs / 1000), max: Math.min(endS, nowS + spanMs / 8000) };
}

function describe(data: RunningData, index: number): TipText {
  const ts = data.x[index]! * 1000;
  const lines: TipLine[] = [];
  const add = (name: string, value: number | null | undefined, source?: TipLine['source']) => {
    if (value !== null && value !== undefined)
      lines.push({ name, value: formatCount(Math.round(value)), ...(source && { source }) });
  };
  add('Count', data.count[index], 'own');
  add('p95', data.p95[index]);
  add('p50', data.p50[index], 'own');
  add('p5', data.p5[index]);
  add('Linear pace', data.pace[index]);
  return { ts, title: formatDayTime(ts), lines };
}
