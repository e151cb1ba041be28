// Checks per-call payments for the doctor: does the facilitator respond?

import type { Config } from '../config/config.ts';
import { errorMessage } from '../runtime/errors.ts';
import type { Finding } from '../sources/doctor.ts';

const TIMEOUT_MS = 10_000;

export async function checkPayments({ payments }: Pick<Config, 'payments'>): Promise<Finding> {
  if (payments.mode === 'off') return report('ok', 'off: calls need a key');
  if (payments.mode === 'demo') return report('ok', 'demo chain');
  try {
    const url = `${payments.facilitatorUrl!.replace(/\/+$/, '')}/supported`;
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`the facilitator returned status ${response.status}`);
    return report('ok', `the facilitator works; ${payments.priceUsd} USD per call`);
  } catch (error) {
    return report(
      'problem',
      errorMessage(error),
      'Check FACILITATOR_URL and that it is reachable from here.',
    );
  }
}

function report(verdict: Finding['verdict'], message: string, advice: string | null = null): Finding {
  return { subject: 'payments', capability: 'payments', account: null, verdict, message, advice };
}
