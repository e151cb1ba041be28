// Venue and counting rule of an event in plain words.

export interface Terms {
  venue?: string;
  /** For example `posts, quotes; deleted posts do not count`. */
  counting_rule?: string;
}

/** `Kalshi, deleted posts do not count`: how contracts of one account differ. Empty if unknown. */
export function describeTerms({ venue, counting_rule }: Terms): string {
  const deletions = counting_rule?.split('; ').at(-1);
  return [venue && nameVenue(venue), deletions].filter(Boolean).join(', ');
}

const SETTLEMENTS: Readonly<Record<string, string>> = { oracle: 'the oracle', rollcall: 'Roll Call' };

/** `rollcall` as `Roll Call`; a source without a known name as it is. */
export function nameSettlement(source = 'the venue'): string {
  return SETTLEMENTS[source] ?? source;
}

/** `kalshi` as `Kalshi`. */
export function nameVenue(venue: string): string {
  return venue.charAt(0).toUpperCase() + venue.slice(1);
}
