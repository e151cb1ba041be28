// Shortens results about one event: thins out its history, and limits a what-if to the relevant buckets.

import { isWorthALine, type Json, listOf, omit, type Shape } from './short-answers.ts';

const MOST_POINTS = 24;
const BUCKET_WITHOUT = ['low', 'high', 'edge_percent', 'reasons', 'token_id', 'advice'];

/** Keeps evenly spaced points, including the latest. */
export const shapeCourse: Shape = (body, { detail }) => {
  const data = body.data as Json;
  const points = listOf(data.points);
  if (detail === 'full' || points.length <= MOST_POINTS) return { body, leftOut: 0 };
  const step = (points.length - 1) / (MOST_POINTS - 1);
  const kept = Array.from({ length: MOST_POINTS }, (_, i) => points[Math.round(i * step)]!);
  return { body: { ...body, data: { ...data, points: kept } }, leftOut: points.length - kept.length };
};

/** Reduces each bucket's advice to one sentence. */
export const shapeWhatIf: Shape = (body, { detail }) => {
  const data = body.data as Json;
  const ladder = data.ladder as Json;
  const all = listOf(ladder.rows);
  if (detail === 'full') return { body, leftOut: 0 };
  const rows = all.filter(isWorthALine).map((row) => ({
    ...omit(row, BUCKET_WITHOUT),
    advice: (row.advice as Json | undefined)?.sentence,
  }));
  const short = { ...data, ladder: { ...omit(ladder, ['feeds']), rows } };
  return { body: { ...body, data: short }, leftOut: all.length - rows.length };
};
