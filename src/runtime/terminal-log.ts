// Log for a terminal: short coloured lines above at most one progress line, which is redrawn in place.
// Control characters in untrusted text (titles, server errors) are removed.

export interface LogOutput {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  /** Whether the terminal supports colours; respects NO_COLOR. */
  hasColors?(): boolean;
  write(text: string): unknown;
}

export interface LogEntry {
  level: number;
  time: number;
  msg: string;
  [detail: string]: unknown;
}

export interface TerminalLog {
  entry(entry: LogEntry): void;
  /** Prints trusted text unchanged. */
  print(text: string): void;
  /** Redraws the progress line; null removes it. */
  progress(text: string | null): void;
}

const ERROR = 50;
const WARNING = 40;
const CLEAR_LINE = '\r\u001b[K';
const STYLES = { dim: '2', yellow: '33', red: '31' } as const;
const NOT_DETAILS = new Set(['level', 'time', 'msg']);
const LONGEST_DETAIL = 120;

export function createTerminalLog(output: LogOutput): TerminalLog {
  const isColoured = output.hasColors?.() ?? false;
  let progressText: string | null = null;

  function style(name: keyof typeof STYLES, text: string): string {
    return isColoured ? `\u001b[${STYLES[name]}m${text}\u001b[0m` : text;
  }

  function put(text: string): void {
    const above = progressText === null ? '' : CLEAR_LINE;
    output.write(`${above}${text}\n${progressText === null ? '' : fit(progressText)}`);
  }

  /** A longer line would wrap and could not be redrawn. */
  function fit(text: string): string {
    return style('dim', text.slice(0, (output.columns || 80) - 1));
  }

  return {
    print: put,
    entry(entry) {
      const { level, time, msg } = entry;
      const message = level >= ERROR ? style('red', msg) : level >= WARNING ? style('yellow', msg) : msg;
      const details = describeDetails(entry);
      const tail = details === '' ? '' : `  ${style('dim', details)}`;
      put(`${style('dim', timeOf(time))} ${message}${tail}`);
    },
    progress(text) {
      const before = progressText;
      progressText = text;
      if (text !== null) output.write(`${CLEAR_LINE}${fit(text)}`);
      else if (before !== null) output.write(CLEAR_LINE);
    },
  };
}

function describeDetails(entry: LogEntry): string {
  return Object.entries(entry)
    .filter(([name, value]) => !NOT_DETAILS.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name} ${toPlain(value)}`)
    .join(', ');
}

function toPlain(value: unknown): string {
  const error = value as { message?: unknown } | null;
  const text =
    typeof value === 'object' && typeof error?.message === 'string' ? error.message : toText(value);
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST_DETAIL);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Local wall-clock time. */
function timeOf(ts: number): string {
  return new Date(ts).toTimeString().slice(0, 8);
}
