// The exchange's contracts on Polygon, and what a wallet must approve before it can trade and redeem.

import type { Hex } from 'viem';

export const CHAIN_ID = 137;

export const CONTRACTS = {
  /** pUSD, 6 decimals. */
  collateral: '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB',
  /** Positions of version 1 markets. */
  conditionalTokens: '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045',
  /** Positions of version 2 markets. */
  positionManager: '0x006F54F7f9A22e0000CC2AB60031000000ae9fEF',
  exchange: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRiskExchange: '0xe2222d279d744050d28e00520010520000310F59',
  exchangeV3: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa',
  router: '0x12121212006e4CD160D18e3f00711DA5c3372600',
  collateralAdapter: '0xAdA100Db00Ca00073811820692005400218FcE1f',
  negRiskCollateralAdapter: '0xadA2005600Dec949baf300f4C6120000bDB6eAab',
} as const;

export type MarketVersion = 'v1' | 'v2';

/** What decides which contracts a market trades on. */
export interface MarketForm {
  version: MarketVersion;
  isNegRisk: boolean;
}

export function exchangeFor({ version, isNegRisk }: MarketForm): Hex {
  if (version === 'v2') return CONTRACTS.exchangeV3;
  return isNegRisk ? CONTRACTS.negRiskExchange : CONTRACTS.exchange;
}

export interface Approval {
  token: Hex;
  spender: Hex;
  kind: 'erc20' | 'erc1155';
  /** Name of the spender. */
  towards: string;
}

/** Buying needs collateral approved towards each exchange; selling and redeeming need the positions. */
export const APPROVALS: readonly Approval[] = [
  ...(['exchange', 'negRiskExchange', 'exchangeV3'] as const).map((towards) =>
    approval('collateral', towards, 'erc20'),
  ),
  ...(['exchange', 'negRiskExchange', 'collateralAdapter', 'negRiskCollateralAdapter'] as const).map(
    (towards) => approval('conditionalTokens', towards, 'erc1155'),
  ),
  ...(['exchangeV3', 'router'] as const).map((towards) => approval('positionManager', towards, 'erc1155')),
];

function approval(
  token: keyof typeof CONTRACTS,
  towards: keyof typeof CONTRACTS,
  kind: Approval['kind'],
): Approval {
  return { token: CONTRACTS[token], spender: CONTRACTS[towards], kind, towards };
}
