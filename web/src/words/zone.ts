// Time zone for display: the user's, the market's or UTC. Saved in the browser.

import { useSyncExternalStore } from 'react';

export const ZONES = [
  { value: 'local', label: 'Local' },
  { value: 'America/New_York', label: 'ET' },
  { value: 'UTC', label: 'UTC' },
] as const;

export type Zone = (typeof ZONES)[number]['value'];

const KEPT_AS = 'tallycast-zone';
const listeners = new Set<() => void>();
let current: Zone = ZONES.find(({ value }) => value === read())?.value ?? 'local';

function read(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    // Without local storage, the choice lasts only for this page view.
    return null;
  }
}

export function getZone(): Zone {
  return current;
}

/** IANA name of the chosen zone. */
export function getZoneName(): string {
  return current === 'local' ? getBrowserZone() : current;
}

export function getBrowserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

export function setZone(zone: Zone): void {
  current = zone;
  try {
    localStorage.setItem(KEPT_AS, zone);
  } catch {
    // Without local storage, the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function useZone(): Zone {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getZone);
}
