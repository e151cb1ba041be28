// Describes an event's venue and counting rule in plain words.

export interface Terms {
  venue?: string;
  /** For example `posts, quotes; deleted posts do not count`. */
  counting_rule?: string;
}

/** How contracts on the same account differ: `Kalshi, deleted posts do not count`. Empty if unknown. */
export function describeTerms({ venue, counting_rule }: Terms): string {
  const deletions = counting_rule?.split('; ').at(-1);
  return [venue && nameVenue(venue), deletions].filter(Boolean).join(', ');
}

const SETTLEMENTS: Readonly<Record<string, string>> = { oracle: 'the oracle', rollcall: 'Roll Call' };

/** Turns `rollcall` into `Roll Call`; leaves an unknown source unchanged. */
export function nameSettlement(source = 'the venue'): string {
  return SETTLEMENTS[source] ?? source;
}

/** Turns `kalshi` into `Kalshi`. */
export function nameVenue(venue: string): string {
  return venue.charAt(0).toUpperCase() + venue.slice(1);
}
