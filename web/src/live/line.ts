// Connection state of a page.

export type Line =
  /** `sinceTs` if numbers from an earlier connection are shown. */
  | { kind: 'connecting'; sinceTs?: number | undefined }
  | { kind: 'live' }
  | { kind: 'polling'; everyMs: number }
  /** Connected but silent: a frozen service or a broken network. */
  | { kind: 'silent'; sinceTs: number }
  | { kind: 'down'; reason: string; retryTs: number; sinceTs: number }
  | { kind: 'limited'; retryTs: number }
  | { kind: 'refused' };

/** Silence for this long makes numbers old. The service sends something every second. */
export const SILENT_AFTER_MS = 4_500;

/** Since when the service has been silent; null while it is fresh. */
export function silentSince(line: Line): number | null {
  if (line.kind === 'silent' || line.kind === 'down') return line.sinceTs;
  return line.kind === 'connecting' ? (line.sinceTs ?? null) : null;
}
