// Sets the problem for one subject in an account's health, if it changed; null clears it.

import type { AccountRecorder } from './account-recorder.ts';

export async function reportProblem(
  recorder: AccountRecorder,
  about: string,
  text: string | null,
): Promise<void> {
  const shown = recorder.snapshot().notices?.[about] ?? null;
  if (text !== shown) await recorder.note({ kind: 'notice-set', about, text });
}
