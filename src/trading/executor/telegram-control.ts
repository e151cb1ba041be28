// Control from a phone: /stop, /flatten, /resume and /status, from one chat and one person only.

import type { TelegramClient, TelegramMessage } from '../../alerts/channels/telegram-client.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Control } from './control.ts';

export interface TelegramControlOptions {
  client: TelegramClient;
  /** The only chat it accepts commands from. */
  chatId: string;
  /** The only person it accepts commands from; in a private chat, that is the chat itself. */
  personId: string;
  control: Control;
  describe(): string;
  /** Makes the executor act now instead of at the next cycle. */
  wake(): void;
  clock: Clock;
  logger: Logger;
}

const WAIT_S = 25;
const RETRY_MS = 3_000;
const CONTROLS = new Set(['/stop', '/flatten', '/resume']);
const NOT_YOURS =
  'Only the operator can do that. In a group, TALLYCAST_TRADING_TELEGRAM_USER names the operator.';

/** Runs until the signal aborts. */
export async function runTelegramControl(
  options: TelegramControlOptions,
  signal: AbortSignal,
): Promise<void> {
  const startedTs = options.clock.now();
  let offset = 0;
  while (!signal.aborted) {
    try {
      const { ok, result, description } = await options.client.getUpdates(offset, WAIT_S, signal);
      if (!ok) throw new Error(description);
      for (const { updateId, message } of result ?? []) {
        const answer = message?.chatId === options.chatId ? obey(options, message, startedTs) : null;
        // Advance only now, so that a stop that could not be written (such as on a full disk) is received
        // again.
        offset = updateId + 1;
        if (answer !== null) await options.client.sendMessage(options.chatId, answer);
      }
    } catch (error) {
      if (signal.aborted) return;
      options.logger.warn({ error: errorMessage(error) }, 'Telegram polling failed');
      await sleep(options.clock, RETRY_MS, signal);
    }
  }
}

function obey(
  { control, describe, wake, ...allowed }: TelegramControlOptions,
  { text, sentTs, personId }: TelegramMessage,
  startedTs: number,
): string {
  const command = text.trim().split(/[\s@]/)[0]!;
  if (CONTROLS.has(command) && personId !== allowed.personId) return NOT_YOURS;
  // Telegram keeps messages for a day, and an old one must not undo a later stop.
  if (sentTs < startedTs && (command === '/flatten' || command === '/resume'))
    return `This ${command} was sent before the program started. Send it again.`;
  switch (command) {
    case '/stop':
      control.stop('stopped by Telegram');
      wake();
      return 'Stopping: no new orders; open orders are being cancelled. Send /resume to trade again.';
    case '/flatten':
      control.flatten('flattened by Telegram');
      wake();
      return 'Selling every position at the best bid; buying is off. Send /resume to trade again.';
    case '/resume':
      control.resume();
      wake();
      return 'Trading resumed. Loss halts stay until they are lifted on the machine.';
    case '/status':
      return describe();
    default:
      return 'Commands: /status, /stop, /flatten, /resume';
  }
}
