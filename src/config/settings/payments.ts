// Per-call payments.

import type { Setting } from '../setting-declaration.ts';
import { ADDRESS_PATTERN, HEX_KEY_PATTERN, URL_PATTERN } from './patterns.ts';

export const PAYMENTS_SETTINGS = [
  {
    name: 'PAYMENTS',
    kind: 'choice',
    choices: ['off', 'demo', 'on'],
    default: 'off',
    description: 'Per-call payments; demo includes a chain and a facilitator.',
  },
  {
    name: 'PAY_TO',
    kind: 'string',
    default: null,
    pattern: ADDRESS_PATTERN,
    allowed: '0x and 40 hex characters',
    description: 'Receiving address of payments.',
  },
  {
    name: 'PAYMENT_NETWORK',
    kind: 'string',
    default: 'eip155:84532',
    pattern: /^eip155:\d+$/,
    allowed: 'a CAIP-2 network such as eip155:8453',
    description: 'Network of payments.',
  },
  {
    name: 'PAYMENT_PRICE_USD',
    kind: 'number',
    min: 0.000001,
    max: 1000,
    default: 0.01,
    description: 'Price of one call.',
  },
  {
    name: 'FACILITATOR_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Facilitator that verifies and settles payments.',
  },
  {
    name: 'FACILITATOR_AUTHORIZATION',
    kind: 'string',
    default: null,
    isSecret: true,
    description: 'Authorization header for the facilitator, e.g. Bearer and a token.',
  },
  {
    name: 'FACILITATOR_PORT',
    kind: 'integer',
    min: 0,
    max: 65535,
    default: 8402,
    description: 'Port of your own facilitator.',
  },
  {
    name: 'FACILITATOR_RPC_URL',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: URL_PATTERN,
    allowed: 'http(s)://host',
    description: 'Chain RPC address for your own facilitator.',
  },
  {
    name: 'FACILITATOR_PRIVATE_KEY',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: HEX_KEY_PATTERN,
    allowed: '0x and 64 hex characters',
    description: 'Wallet key of your own facilitator, for gas.',
  },
  {
    name: 'PAY_PRIVATE_KEY',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: HEX_KEY_PATTERN,
    allowed: '0x and 64 hex characters',
    description: 'Wallet key of the pay command.',
  },
] as const satisfies readonly Setting[];
