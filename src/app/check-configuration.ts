// Checks a configuration for the doctor: every source and payments, once each.

import { nameAccountField } from '../config/choose-accounts.ts';
import type { Config } from '../config/config.ts';
import { checkSources, type DoctorOptions, type Finding } from '../sources/doctor.ts';
import type { Sources } from '../sources/source.ts';
import { checkPayments } from './check-payments.ts';

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
    await checkPayments(config),
  ];
}
