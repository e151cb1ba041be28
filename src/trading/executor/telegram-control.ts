// Control from a phone: /stop, /flatten, /resume and /status, from one chat only.

import type { TelegramClient } from '../../alerts/channels/telegram-client.ts';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Control } from './control.ts';

export interface TelegramControlOptions {
  client: TelegramClient;
  /** The only accepted chat. */
  chatId: string;
  control: Control;
  describe(): string;
  /** Acts immediately instead of at the next turn. */
  wake(): void;
  logger: Logger;
}

const WAIT_S = 25;
const RETRY_MS = 3_000;

/** Runs until the signal aborts. */
export async function runTelegramControl(
  options: TelegramControlOptions,
  signal: AbortSignal,
): Promise<void> {
  let offset = 0;
  while (!signal.aborted) {
    try {
      const { result } = await options.client.getUpdates(offset, WAIT_S, signal);
      for (const { updateId, message } of result ?? []) {
        offset = updateId + 1;
        if (message?.chatId !== options.chatId) continue;
        await options.client.sendMessage(options.chatId, obey(options, message.text.trim()));
      }
    } catch (error) {
      if (signal.aborted) return;
      options.logger.warn({ error: errorMessage(error) }, 'Telegram polling failed');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function obey({ control, describe, wake }: TelegramControlOptions, text: string): string {
  switch (text.split(/[\s@]/)[0]) {
    case '/stop':
      control.stop('stopped by Telegram');
      wake();
      return 'Stopping: no new orders, open orders are being cancelled. /resume to trade again.';
    case '/flatten':
      control.flatten('flattened by Telegram');
      wake();
      return 'Selling every position at the best bid; nothing is bought. /resume to trade again.';
    case '/resume':
      control.resume();
      wake();
      return 'Trading again. Loss limits stay until they are lifted on the machine.';
    case '/status':
      return describe();
    default:
      return 'Commands: /status, /stop, /flatten, /resume';
  }
}
