// Moves through an event's stored moments by slider, keyboard or replay.

import { useEffect, useId, useState } from 'react';
import type { CoursePoint } from '../../api/records.ts';
import { SmallButton } from '../../ui/button.tsx';
import { formatDayTime } from '../../words/format.ts';

/** Duration of a replay, regardless of the event's length. */
const REPLAY_MS = 20_000;
const TICK_MS = 100;

interface Props {
  points: readonly CoursePoint[];
  index: number;
  onIndex: (index: number) => void;
}

export function Scrubber({ points, index, onIndex }: Props) {
  const id = useId();
  const [isPlaying, setPlaying] = useState(false);
  const last = points.length - 1;
  useEffect(() => {
    if (!isPlaying) return;
    if (index >= last) return setPlaying(false);
    const step = Math.max(1, Math.round((points.length * TICK_MS) / REPLAY_MS));
    const timer = setTimeout(() => onIndex(Math.min(last, index + step)), TICK_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, index, last, points.length, onIndex]);
  const play = () => {
    if (!isPlaying && index >= last) onIndex(0);
    setPlaying(!isPlaying);
  };
  return (
    <div className="scrubber">
      <SmallButton disabled={last < 1} onClick={play}>
        {isPlaying ? 'Pause' : 'Replay'}
      </SmallButton>
      <label htmlFor={id} className="visually-hidden">
        Moment
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        step={1}
        value={index}
        aria-valuetext={formatDayTime(points[index]!.timestamp)}
        onChange={(event) => {
          setPlaying(false);
          onIndex(Number(event.target.value));
        }}
      />
      <span className="num fine">
        {index + 1} of {points.length}
      </span>
    </div>
  );
}
