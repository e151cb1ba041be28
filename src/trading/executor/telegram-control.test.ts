import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { TelegramClient } from '../../alerts/channels/telegram-client.ts';
import { createManualClock } from '../../runtime/clock.ts';
import { silentLogger } from '../../runtime/logger.ts';
import { openControl } from './control.ts';
import { runTelegramControl } from './telegram-control.ts';

describe('Telegram control', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tallycast-control-'));
  const control = openControl(folder);
  after(() => rmSync(folder, { recursive: true, force: true }));

  const clock = createManualClock(1_000_000);

  async function receive(
    chatId: string,
    text: string,
    sentTs = clock.now(),
    personId: string | null = '7',
  ): Promise<string[]> {
    const aborter = new AbortController();
    const answeredChats: string[] = [];
    const message = { chatId, text, sentTs, personId };
    const client = {
      getUpdates: async (offset: number) => {
        if (offset > 0) aborter.abort();
        return { ok: true, result: offset > 0 ? [] : [{ updateId: 1, message }] };
      },
      sendMessage: async (chat: string) => void answeredChats.push(chat),
    } as unknown as TelegramClient;
    const parts = { client, chatId: '7', personId: '7', control, describe: () => '', wake() {}, clock };
    await runTelegramControl({ ...parts, logger: silentLogger }, aborter.signal);
    return answeredChats;
  }

  it('stops if the stop file cannot be read', () => {
    const unreadable = join(folder, 'unreadable');
    mkdirSync(join(unreadable, 'STOP'), { recursive: true });
    assert.equal(openControl(unreadable).readKillSwitch(), 'stopped by file');
  });

  it("obeys commands from the operator's chat", { timeout: 10_000 }, async () => {
    assert.deepEqual(await receive('7', '/stop'), ['7']);
    assert.equal(control.readKillSwitch(), 'stopped by Telegram');
  });

  it('ignores other chats', { timeout: 10_000 }, async () => {
    assert.deepEqual(await receive('8', '/resume'), []);
    assert.equal(control.readKillSwitch(), 'stopped by Telegram');
  });

  it('obeys only the operator among the members of a group', { timeout: 10_000 }, async () => {
    control.resume();
    for (const personId of ['8', null])
      for (const text of ['/flatten', '/stop', '/flatten@bot now'])
        assert.deepEqual(await receive('7', text, clock.now(), personId), ['7']);
    assert.deepEqual([control.isFlattening(), control.readKillSwitch()], [false, null]);
    await receive('7', '/flatten');
    assert.equal(control.isFlattening(), true);
    await receive('7', '/resume', clock.now(), '8');
    assert.equal(control.isFlattening(), true);
    control.resume();
  });

  it('obeys only /stop among commands sent before the program started', { timeout: 10_000 }, async () => {
    control.stop('stopped on the machine');
    for (const text of ['/resume', '/flatten'])
      assert.deepEqual(await receive('7', text, clock.now() - 1), ['7']);
    assert.equal(control.readKillSwitch(), 'stopped on the machine');
    assert.equal(control.isFlattening(), false);
    await receive('7', '/resume');
    assert.equal(control.readKillSwitch(), null);
    await receive('7', '/stop', 0);
    assert.equal(control.readKillSwitch(), 'stopped by Telegram');
  });

  it('retries a stop that could not be written', { timeout: 20_000 }, async () => {
    const aborter = new AbortController();
    let attempts = 0;
    const client = {
      async getUpdates(offset: number) {
        if (offset > 0) aborter.abort();
        const message = { chatId: '7', personId: '7', text: '/stop', sentTs: 0 };
        return { ok: true, result: offset > 0 ? [] : [{ updateId: 1, message }] };
      },
      async sendMessage() {},
    } as unknown as TelegramClient;
    const failing = {
      ...control,
      stop() {
        if (++attempts === 1) throw new Error('the disk is full');
      },
    };
    const atOnce = {
      now: clock.now,
      after(_: number, run: () => void) {
        queueMicrotask(run);
        return () => {};
      },
    };
    const parts = {
      client,
      chatId: '7',
      personId: '7',
      control: failing,
      describe: () => '',
      wake() {},
      clock: atOnce,
    };
    await runTelegramControl({ ...parts, logger: silentLogger }, aborter.signal);
    assert.equal(attempts, 2);
  });

  it('pauses after an error from the bot API', { timeout: 20_000 }, async () => {
    const aborter = new AbortController();
    let requests = 0;
    const client = {
      async getUpdates() {
        if (++requests === 5) aborter.abort();
        return { ok: false, result: null, description: 'Unauthorized' };
      },
    } as unknown as TelegramClient;
    const warn = () => aborter.abort();
    const parts = { client, chatId: '7', personId: '7', control, describe: () => '', wake() {}, clock };
    await runTelegramControl({ ...parts, logger: { ...silentLogger, warn } }, aborter.signal);
    assert.equal(requests, 1);
  });
});
