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

/** A credential that no account's post sources use was probably meant to be used. */
function findUnusedCredentials({ accounts, secrets, sources }: Config): Finding[] {
  if (sources === 'simulator') return [];
  const kinds = new Set(accounts.flatMap(({ postSources = [] }) => postSources.map(({ kind }) => kind)));
  const paid = [
    ['X_BEARER_TOKEN', secrets.xBearerToken, 'x'],
    ['TWITTERAPI_KEY', secrets.twitterapiKey, 'twitterapi'],
  ] as const;
  return paid
    .filter(([, value, kind]) => value !== null && !kinds.has(kind))
    .map(([name, , kind]) => ({
      subject: 'posts',
      capability: 'posts',
      account: null,
      verdict: 'warning',
      message: `${name} is set, but no account reads posts from ${kind}`,
      advice: `Add ${kind} to an account's post sources, or unset ${name}.`,
    }));
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
