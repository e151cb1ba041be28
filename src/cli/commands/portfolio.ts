// Compares a wallet's positions with the model, or lists a Kalshi member's positions.

import { REAL_NETWORK, readKalshiKey } from '../../app/open-sources.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import type { WalletPosition } from '../../domain/position.ts';
import { UsageError } from '../../runtime/errors.ts';
import { createHttpTransport } from '../../sources/http-transport.ts';
import { fetchKalshiPositions, signFetch } from '../../sources/kalshi/portfolio.ts';
import { createSigner } from '../../sources/kalshi/signing.ts';
import { required } from '../arguments.ts';
import { ASK_OPTIONS_HELP, createQuestion, forEach, readBankroll } from '../ask.ts';
import { type Command, DONE, print, type Terminal } from '../command.ts';
import { describePortfolios } from '../describe.ts';
import { formatTable } from '../text-table.ts';

export const usage = `usage: npx tallycast portfolio --wallet 0x... [options]
       npx tallycast portfolio --kalshi [settings]

Show a wallet's open positions and how the model values them. Needs a PRO key. With --kalshi, show your Kalshi positions,
fetched directly from Kalshi with KALSHI_KEY_ID and KALSHI_PRIVATE_KEY_FILE; the key is sent only to Kalshi.

${ASK_OPTIONS_HELP}
  --wallet 0x...   40 hex characters
  --bankroll USD   also show target position sizes

examples:
  npx tallycast portfolio --wallet 0x52908400098527886e0f7030069857d2e4169ee7 --bankroll 1000 --key $KEY`;

const showWallet = createQuestion(
  { wallet: { type: 'string' }, bankroll: { type: 'string' } },
  async ({ client, accounts, own }) => {
    const wallet = required(own.wallet as string | undefined, '--wallet 0x...');
    const query = { wallet, bankroll: readBankroll(own) };
    const answers = await forEach(accounts, (account) => client.portfolio(account, query));
    return { json: answers, text: () => describePortfolios(accounts, answers) };
  },
);

export const run: Command['run'] = async (args, terminal) => {
  if (!args.includes('--kalshi')) return showWallet(args, terminal);
  const rest = args.filter((arg) => arg !== '--kalshi');
  const positions = await readMember(loadConfig(rest, terminal.env), terminal);
  print(terminal, positions.length === 0 ? 'no positions' : describeMember(positions));
  return DONE;
};

async function readMember(config: Config, { clock, stopSignal }: Terminal): Promise<WalletPosition[]> {
  const key = readKalshiKey(config);
  if (!key) throw new UsageError('KALSHI_KEY_ID and KALSHI_PRIVATE_KEY_FILE are not set');
  const http = createHttpTransport({
    name: 'kalshi',
    baseUrl: config.urls.kalshi ?? '',
    fetch: signFetch(REAL_NETWORK.fetch, createSigner(key), clock.now),
    clock,
  });
  return fetchKalshiPositions(http, key.keyId, stopSignal());
}

function describeMember(positions: readonly WalletPosition[]): string {
  const usd = (value: number) => value.toFixed(2);
  const rows = positions.map(({ conditionId, side, shares, costUsd, currentValueUsd }) => [
    conditionId,
    side,
    shares,
    usd(costUsd),
    usd(currentValueUsd),
    usd(currentValueUsd - costUsd),
  ]);
  return formatTable(['market', 'side', 'contracts', 'cost', 'value', 'profit'], rows).trimEnd();
}
