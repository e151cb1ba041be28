// Generates a history file with every kind of bad line at known places.

const START_TS = Date.UTC(2010, 0, 1);
/** One line in this many is bad, cycling through the kinds; another one duplicates the line before it. */
const WRONG_EVERY = 997;
const REPEAT_EVERY = 1_009;

const WRONG: readonly ((id: number, ts: number, nowTs: number) => string)[] = [
  (id) => `${id},yesterday,0,0,0,1`,
  (id, ts) => `${id},${ts},maybe,0,0,1`,
  (id, ts) => `${id},${ts},0,0`,
  (id, ts) => `${id},${ts},0,0,0,1,1`,
  (_, ts) => `,${ts},0,0,0,1`,
  (_, ts) => `<script>,${ts},0,0,0,1`,
  (id) => `${id},-1,0,0,0,1`,
  (id) => `${id},99999999999999999999,0,0,0,1`,
  (id, _, nowTs) => `${id},${nowTs + 3_600_000},0,0,0,1`,
  (id, ts) => `${id},${ts},0,0,0,${'1'.repeat(5_000)}`,
  () => '\u0000\u0000\u0000',
  (id, ts) => `${id};${ts};0;0;0;1`,
];

function isWrong(index: number): boolean {
  return index % WRONG_EVERY === WRONG_EVERY - 1;
}

/** Duplicates the previous line, which is valid. */
function isRepeat(index: number): boolean {
  return index % REPEAT_EVERY === REPEAT_EVERY - 1 && !isWrong(index) && index > 0 && !isWrong(index - 1);
}

/** Returns data line `index`, which is line `index + 2` of the file. */
export function historyLine(index: number, nowTs: number): string {
  const ts = START_TS + index * 1_000;
  if (isWrong(index)) return WRONG[Math.floor(index / WRONG_EVERY) % WRONG.length]!(index, ts, nowTs);
  const id = isRepeat(index) ? index - 1 : index;
  return `${id},${START_TS + id * 1_000},0,0,0,${id % 2}`;
}

export function expectedOf(lines: number) {
  let refused = 0;
  for (let i = 0; i < lines; i++) if (isWrong(i) || isRepeat(i)) refused += 1;
  return {
    refused,
    taken: lines - refused,
    isRefused: (lineNumber: number) => isWrong(lineNumber - 2) || isRepeat(lineNumber - 2),
  };
}
