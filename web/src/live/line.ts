// How a page stands with the service.

export type Line =
  | { kind: 'connecting' }
  | { kind: 'live' }
  | { kind: 'polling'; everyMs: number }
  | { kind: 'down'; reason: string; retryTs: number; sinceTs: number }
  | { kind: 'limited'; retryTs: number }
  | { kind: 'refused' };
