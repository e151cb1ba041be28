// Connection state of a page.

export type Line =
  /** `sinceTs` is set while numbers from an earlier connection are shown. */
  | { kind: 'connecting'; sinceTs?: number | undefined }
  | { kind: 'live' }
  | { kind: 'polling'; everyMs: number }
  /** Connected but silent, e.g. a frozen service or a broken network. */
  | { kind: 'silent'; sinceTs: number }
  | { kind: 'down'; reason: string; retryTs: number; sinceTs: number }
  | { kind: 'limited'; retryTs: number }
  | { kind: 'refused' };

/** After this long without a message, numbers are out of date; the service sends something every second. */
export const SILENT_AFTER_MS = 4_500;

/** When the service went silent; null while data is current. */
export function silentSince(line: Line): number | null {
  if (line.kind === 'silent' || line.kind === 'down') return line.sinceTs;
  return line.kind === 'connecting' ? (line.sinceTs ?? null) : null;
}
