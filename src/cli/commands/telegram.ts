// Links a Telegram chat to the caller's key with one message to the bot.

import { MINUTE_MS, SECOND_MS } from '../../domain/units.ts';
import { sleep } from '../../runtime/clock.ts';
import { ASK_OPTIONS_HELP, type Asking, createAsk } from '../ask.ts';
import { FAILED, note, print, type Terminal } from '../command.ts';

export const usage = `usage: npx tallycast telegram [--label TEXT] [options]

Create a channel, print the message that links it to your chat, and wait until you send it. Alert rules can then use the
channel. Needs a PRO key and a service with a bot (TELEGRAM_BOT_TOKEN).

${ASK_OPTIONS_HELP}
  --label TEXT  name of the channel
  --no-wait     print the message and exit

examples:
  npx tallycast telegram --label phone --key $KEY`;

const LOOK_EVERY_MS = 2 * SECOND_MS;
/** How long the service accepts the link code. */
const WAIT_MS = 30 * MINUTE_MS;

export const run = createAsk(
  { label: { type: 'string' }, 'no-wait': { type: 'boolean' } },
  async ({ client, own, isJson }, terminal) => {
    const label = typeof own.label === 'string' ? own.label : '';
    const { data } = await client.channels.create({ kind: 'telegram', label });
    if (isJson) print(terminal, JSON.stringify(data, null, 2));
    else print(terminal, `send to the bot: /start ${data.link_code}\nor open ${data.link_url}`);
    if (own['no-wait']) return undefined;
    return waitForLink(client, data.channel_id, terminal);
  },
);

async function waitForLink(
  client: Asking['client'],
  channelId: string,
  terminal: Terminal,
): Promise<number | undefined> {
  const stopping = terminal.stopSignal();
  const giveUpTs = terminal.clock.now() + WAIT_MS;
  while (!stopping.aborted && terminal.clock.now() < giveUpTs) {
    const { data } = await client.channels.list();
    if (data.some(({ channel_id, state }) => channel_id === channelId && state === 'ready')) {
      note(terminal, `linked channel ${channelId}`);
      return undefined;
    }
    await sleep(terminal.clock, LOOK_EVERY_MS, stopping);
  }
  note(terminal, 'not linked: no message arrived in time');
  return FAILED;
}
