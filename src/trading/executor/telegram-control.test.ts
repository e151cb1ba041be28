import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { TelegramClient } from '../../alerts/channels/telegram-client.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { openControl } from './control.ts';
import { runTelegramControl } from './telegram-control.ts';

describe('Telegram control', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-control-'));
  const control = openControl(folder);
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function receive(chatId: string, text: string): Promise<string[]> {
    const aborter = new AbortController();
    const answeredChats: string[] = [];
    const client = {
      getUpdates: async (offset: number) => {
        if (offset > 0) aborter.abort();
        return { ok: true, result: offset > 0 ? [] : [{ updateId: 1, message: { chatId, text } }] };
      },
      sendMessage: async (chat: string) => void answeredChats.push(chat),
    } as unknown as TelegramClient;
    const parts = { client, chatId: '7', control, describe: () => '', wake() {}, logger: silentLogger };
    await runTelegramControl(parts, aborter.signal);
    return answeredChats;
  }

  it("obeys the operator's chat", { timeout: 10_000 }, async () => {
    assert.deepEqual(await receive('7', '/stop'), ['7']);
    assert.equal(control.readKillSwitch(), 'stopped by Telegram');
  });

  it('neither obeys nor answers another chat', { timeout: 10_000 }, async () => {
    assert.deepEqual(await receive('8', '/resume'), []);
    assert.equal(control.readKillSwitch(), 'stopped by Telegram');
  });
});
