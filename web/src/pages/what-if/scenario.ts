// The scenario set by the sliders and the wake time. Pure.

import type { WhatIfBody } from '../../api/records.ts';

export interface Scenario {
  /** Slider steps from the expected pace; four steps double it. */
  paceStep: number;
  silentHours: number;
  /** As entered, in the browser's time zone; empty if unset. Overrides the hours of silence. */
  wakeAt: string;
}

export const NEUTRAL: Scenario = { paceStep: 0, silentHours: 0, wakeAt: '' };
export const PACE_STEPS = 8;
export const MAX_SILENT_HOURS = 48;

export function paceOf({ paceStep }: Scenario): number {
  return Math.round(2 ** (paceStep / 4) * 100) / 100;
}

export function isNeutral(scenario: Scenario): boolean {
  return scenario.paceStep === 0 && scenario.silentHours === 0 && scenario.wakeAt === '';
}

export function toBody(eventId: number, scenario: Scenario): WhatIfBody {
  const wakeTs = scenario.wakeAt === '' ? Number.NaN : new Date(scenario.wakeAt).getTime();
  return {
    event_id: eventId,
    pace_factor: paceOf(scenario),
    ...(Number.isNaN(wakeTs) ? { silent_hours: scenario.silentHours } : { wake_ts: wakeTs }),
  };
}
