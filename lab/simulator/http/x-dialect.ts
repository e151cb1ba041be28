// In which of its two sets of names the X platform was asked, and answers.

import type { FaultSwitch } from '../faults/fault-switch.ts';
import type { Dialect } from './x-wire.ts';

export function readDialect(
  faults: FaultSwitch,
  query: URLSearchParams,
  nowTs: number,
): { dialect: Dialect; fields: string[] } {
  const dialect = query.has('post.fields') ? 'post' : 'tweet';
  // The older parameter is nowhere documented any more: one day it is ignored, and only the default fields come.
  const isIgnored = dialect === 'tweet' && faults.valueAt('x-old-names-gone', nowTs) !== null;
  const asked = isIgnored ? '' : (query.get(`${dialect}.fields`) ?? '');
  return { dialect, fields: asked.split(',').filter(Boolean) };
}
