// `trade doctor` and `trade setup`: which wallet the key signs for, and every step from there to the first order.

import type { Hex } from 'viem';
import { errorMessage, StartError, UsageError } from '../../runtime/errors.ts';
import { readPrivateFile } from '../../runtime/private-files.ts';
import type { KalshiKey } from '../../sources/kalshi/signing.ts';
import { readTradingKey } from '../../trading/executor/read-advice.ts';
import { listKalshiSteps } from '../../trading/venue/kalshi/session.ts';
import { listSetupSteps, type SetupStep } from '../../trading/venue/polymarket/setup-steps.ts';
import { openChain } from '../../trading/venue/polymarket/wallet/chain.ts';
import { openRelayer, type RelayerKey } from '../../trading/venue/polymarket/wallet/relayer.ts';
import { FAILED, print, type Terminal } from '../command.ts';
import { askOnce } from './await-service.ts';
import { readVenue, type TradeValues } from './options.ts';
import { addressesOf, createClient, readAdviceUrl, readPlace, type TradingPlace } from './place.ts';

type Addresses = Pick<
  TradingPlace,
  'url' | 'kalshiUrl' | 'gammaUrl' | 'relayerUrl' | 'chainUrl' | 'geoblockUrl'
>;

/** The key, the wallet that the operator named, and where to check them. */
export function openWallet(values: TradeValues, { env }: Terminal, place: Addresses) {
  const file = typeof values['key-file'] === 'string' ? values['key-file'] : undefined;
  const relayerKey = readRelayerKey(env.TALLYCAST_RELAYER_KEY);
  return {
    account: readTradingKey({ file, value: env.TALLYCAST_TRADING_KEY }),
    wallet: readAddress('--wallet', values.wallet ?? env.TALLYCAST_TRADING_WALLET),
    owner: readAddress('--owner', values.owner),
    chain: openChain(place.chainUrl),
    relayer: openRelayer({ url: place.relayerUrl, key: relayerKey }),
    hasRelayerKey: relayerKey !== null,
    sessionExpiresTs: readDate(values['session-expires']),
  };
}

export async function checkSetup(
  values: TradeValues,
  terminal: Terminal,
  isSetup: boolean,
): Promise<number | undefined> {
  const place = await findPlace(values, terminal);
  const venue = readVenue(values);
  try {
    const { name, url, steps, shortcut } = await (venue === 'kalshi' ? checkKalshi : checkPolymarket)(
      values,
      terminal,
      place,
    );
    print(terminal, `key ${name} on ${url}`);
    for (const step of steps) print(terminal, describeStep(step, isSetup));
    const isReady = steps.every(({ state }) => state !== 'missing');
    if (!isReady && place.geoblockUrl === null) print(terminal, shortcut);
    const again = `npx tallycast trade --live${venue === 'kalshi' ? ' --venue kalshi' : ''}`;
    print(terminal, isReady ? `ready: run ${again}` : 'not ready');
    return isReady ? undefined : FAILED;
  } catch (error) {
    throw explainUnreachable(error, place);
  }
}

interface Checked {
  name: string;
  url: string;
  steps: SetupStep[];
  /** On the simulator: how to do every step at once. */
  shortcut: string;
}

type Found = Addresses & { clock: TradingPlace['clock'] };

async function checkPolymarket(values: TradeValues, terminal: Terminal, place: Found): Promise<Checked> {
  const wallet = openWallet(values, terminal, place);
  const { steps } = await listSetupSteps({ ...place, ...wallet });
  const name = wallet.account.address;
  return { name, url: place.url, steps, shortcut: describeShortcut(place, name) };
}

async function checkKalshi(values: TradeValues, terminal: Terminal, place: Found): Promise<Checked> {
  const key = readKalshiKey(values, terminal);
  const url = place.kalshiUrl;
  const steps = await listKalshiSteps({ url, key, clock: place.clock });
  const admin = url.replace(/\/kalshi\/.*$/, '/admin/kalshi-members');
  const shortcut = `simulator only: POST {"keyId": "${key.keyId}", "publicKeyPem": ...} to ${admin} registers the key`;
  return { name: key.keyId, url, steps, shortcut };
}

/** The key signs orders, so it is not the one that the service reads with. */
export function readKalshiKey(values: TradeValues, { env }: Terminal): KalshiKey {
  const keyId = values['key-id'] ?? env.TALLYCAST_TRADING_KEY_ID;
  const file = values['key-file'];
  if (typeof keyId !== 'string' || keyId === '' || typeof file !== 'string')
    throw new UsageError('--venue kalshi needs --key-id ID and --key-file FILE (PEM, mode 0600)');
  return { keyId, privateKeyPem: readPrivateFile(file) };
}

/** An exchange that is named needs no service. */
async function findPlace(values: TradeValues, terminal: Terminal): Promise<Found> {
  if (typeof values.exchange === 'string')
    return { ...addressesOf(values.exchange, values), clock: terminal.clock };
  const client = createClient(values, terminal);
  return askOnce(readAdviceUrl(values, terminal), () => readPlace(client, values, true, terminal.clock));
}

const MARKS = { done: 'ok', missing: 'MISSING', unknown: 'unknown' } as const;

function describeStep({ name, state, detail, fix, request }: SetupStep, isSetup: boolean): string {
  const line = `${MARKS[state].padEnd(8)} ${name}: ${detail}`;
  if (state === 'done' || !isSetup) return line;
  const asked = request === undefined ? [] : [JSON.stringify(request, null, 2)];
  return [line, ...(fix === undefined ? [] : [fix]), ...asked].join('\n').replaceAll('\n', '\n         ');
}

/** The simulator's owner is not a person, so its steps can be done at once. */
function describeShortcut({ url }: Addresses, session: string): string {
  const admin = url.replace(/\/clob$/, '/admin/exchange');
  return `simulator only: curl -X POST ${admin} -d '{"session":"${session}"}' does every step and returns the wallet`;
}

/** An exchange that does not respond is one line, not a stack trace. */
export function explainUnreachable(error: unknown, { url }: Addresses): unknown {
  const { cause, name } = (error ?? {}) as { cause?: { code?: string; message?: string }; name?: string };
  const isUnreachable = error instanceof TypeError && cause !== undefined;
  if (!isUnreachable && name !== 'TimeoutError') return error;
  const reason = cause?.code ?? cause?.message ?? errorMessage(error);
  return new StartError(
    `The exchange at ${url} does not respond (${reason}). Check the address and your connection.`,
    error,
  );
}

function readAddress(name: string, value: string | boolean | undefined): Hex | null {
  if (typeof value !== 'string' || value === '') return null;
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) throw new UsageError(`${name}: "${value}" is not an address`);
  return value as Hex;
}

function readDate(value: string | boolean | undefined): number | null {
  if (typeof value !== 'string') return null;
  const ts = Date.parse(value);
  if (Number.isNaN(ts)) throw new UsageError(`--session-expires: "${value}" is not a date`);
  return ts;
}

function readRelayerKey(value: string | undefined): RelayerKey | null {
  if (!value) return null;
  const [, apiKey, address] = /^([^:]+):(0x[0-9a-fA-F]{40})$/.exec(value) ?? [];
  if (apiKey === undefined || address === undefined)
    throw new UsageError('TALLYCAST_RELAYER_KEY is not KEY:ADDRESS');
  return { apiKey, address };
}
