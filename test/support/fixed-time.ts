// One instant for every process, thread and page of a test run, so that a test finds the same history, calendar
// and prices on any day.

/** A Thursday with events of every kind open, early in an hour, because hourly work would come in between. */
const START_TS = Date.UTC(2026, 10, 19, 12, 5);

export const SHIFT_NAME = 'TEST_CLOCK_SHIFT_MS';

/** Environment of a run that starts now. Children inherit NODE_OPTIONS; a data URL needs no readable file. */
export function fixedTimeEnvironment(): { NODE_OPTIONS: string; [SHIFT_NAME]: string } {
  const shiftMs = START_TS - Date.now();
  const script = encodeURIComponent(`(${shiftClock})(${shiftMs})`);
  return { NODE_OPTIONS: `--import=data:text/javascript,${script}`, [SHIFT_NAME]: String(shiftMs) };
}

/** Zero outside a run of the whole suite's command. */
export function clockShiftMs(): number {
  return Number(process.env[SHIFT_NAME] ?? 0);
}

/** Sent to other processes and to pages as text, so it uses nothing from around it. Time passes as usual. */
export function shiftClock(shiftMs: number): void {
  const read = Date.now;
  Date.now = () => read() + shiftMs;
  globalThis.Date = new Proxy(Date, {
    construct: (target, words, made) =>
      Reflect.construct(target, words.length > 0 ? words : [target.now()], made),
    apply: (target) => new target(target.now()).toString(),
  });
  Date.prototype.constructor = Date;
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + shiftMs });
}
