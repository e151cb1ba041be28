// What the doctor says of per-call payments: whether whoever settles them answers.

import type { Config } from '../config/config.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Finding } from '../sources/doctor.ts';

const TIMEOUT_MS = 10_000;

export async function checkPayments({ payments }: Pick<Config, 'payments'>): Promise<Finding> {
  if (payments.mode === 'off') return tell('ok', 'off: nobody is asked to pay per call');
  if (payments.mode === 'demo') return tell('ok', 'a pretend chain, for trying out');
  try {
    const url = `${payments.facilitatorUrl!.replace(/\/+$/, '')}/supported`;
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`the facilitator answers with status ${response.status}`);
    return tell('ok', `the facilitator answers; ${payments.priceUsd} USD a call`);
  } catch (error) {
    return tell('problem', errorMessage(error), 'Is FACILITATOR_URL right and reachable from here?');
  }
}

function tell(verdict: Finding['verdict'], message: string, advice: string | null = null): Finding {
  return { subject: 'payments', capability: 'payments', account: null, verdict, message, advice };
}
