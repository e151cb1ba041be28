// Checks a configuration for the doctor: every source and payments, once each.

import { nameAccountField } from '../config/choose-accounts.ts';
import type { Config } from '../config/config.ts';
import { errorMessage } from '../runtime/errors.ts';
import { checkSources, type DoctorOptions, type Finding } from '../sources/doctor.ts';
import type { Sources } from '../sources/source.ts';

export async function checkConfiguration(
  config: Config,
  sources: Sources,
  options: Omit<DoctorOptions, 'nameField' | 'usesPush'>,
): Promise<Finding[]> {
  const nameField: DoctorOptions['nameField'] = ({ accountId }, field) =>
    nameAccountField(
      config,
      config.accounts.findIndex((account) => account.accountId === accountId),
      field,
    );
  return [
    ...(await checkSources(sources, { ...options, nameField, usesPush: config.xPush })),
    ...findUnusedCredentials(config),
    await checkPayments(config),
  ];
}

/** A token that no account's post sources use was probably meant to be used. */
function findUnusedCredentials({ accounts, secrets, sources }: Config): Finding[] {
  const usesX = accounts.some(({ postSources = [] }) => postSources.some(({ kind }) => kind === 'x'));
  if (sources === 'simulator' || secrets.xBearerToken === null || usesX) return [];
  return [
    {
      ...{ subject: 'posts', capability: 'posts', account: null, verdict: 'warning' },
      message: 'X_BEARER_TOKEN is set, but no account reads posts from x',
      advice: "Add x to an account's post sources, or unset X_BEARER_TOKEN.",
    },
  ];
}

const TIMEOUT_MS = 10_000;

async function checkPayments({ payments }: Pick<Config, 'payments'>): Promise<Finding> {
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
