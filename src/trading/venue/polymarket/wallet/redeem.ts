// Redeems a won position: the calls that pay it out, sent the way the wallet allows.

import { encodeFunctionData, type Hex, pad, parseAbi, zeroAddress, zeroHash } from 'viem';
import { CONTRACTS, type MarketForm } from '../signing/contracts.ts';
import { FACTORIES } from '../signing/derive-wallets.ts';
import type { Signer, WalletCall } from '../signing/sign-order.ts';
import type { Chain } from './chain.ts';
import type { Relayer } from './relayer.ts';

const ABI = parseAbi([
  'function redeemPositions(address collateral, bytes32 parent, bytes32 conditionId, uint256[] indexSets)',
  'function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'struct ProxyCall { uint8 typeCode; address to; uint256 value; bytes data; }',
  'function proxy(ProxyCall[] calls)',
]);

export interface RedeemablePosition extends MarketForm {
  conditionId: string;
  /** 0 for Yes. */
  outcomeIndex: number;
  sharesMicro: number;
}

/** Version 1 pays the whole condition; version 2 pays an amount of one outcome. */
export function redeemCall(position: RedeemablePosition): WalletCall {
  const conditionId = position.conditionId as Hex;
  if (position.version === 'v2') {
    const args = [
      toBytes31(conditionId),
      BigInt(position.outcomeIndex),
      BigInt(position.sharesMicro),
    ] as const;
    return {
      target: CONTRACTS.router,
      data: encodeFunctionData({ abi: ABI, functionName: 'redeem', args }),
    };
  }
  const args = [CONTRACTS.collateral, zeroHash, conditionId, [1n, 2n]] as const;
  return {
    target: position.isNegRisk ? CONTRACTS.negRiskCollateralAdapter : CONTRACTS.collateralAdapter,
    data: encodeFunctionData({ abi: ABI, functionName: 'redeemPositions', args }),
  };
}

/** A padded id may be shortened only if its last byte is zero. */
function toBytes31(conditionId: Hex): Hex {
  if (conditionId.length === 64) return conditionId;
  if (conditionId.length === 66 && conditionId.endsWith('00')) return conditionId.slice(0, 64) as Hex;
  throw new Error(`condition ${conditionId} is not a version 2 condition`);
}

export interface RedeemParts {
  signer: Signer;
  chain: Chain;
  relayer: Relayer;
  nowTs: number;
}

/** Returns an id for `hasRedeemed`. */
export function sendRedemption(position: RedeemablePosition, parts: RedeemParts): Promise<string> {
  const { signer, chain, relayer } = parts;
  const call = redeemCall(position);
  if (signer.kind === 'deposit') return relayer.submit(signer, [call], parts.nowTs);
  const direct = toDirectCall(signer, call);
  return chain.send(signer.account, direct.target, direct.data);
}

export function hasRedeemed(id: string, { signer, chain, relayer }: RedeemParts): Promise<boolean | null> {
  return signer.kind === 'deposit' ? relayer.hasSucceeded(id) : chain.hasSucceeded(id as Hex);
}

/** What the key itself sends, and pays gas for, so that its wallet makes the call. */
function toDirectCall({ kind, wallet, account }: Signer, { target, data }: WalletCall): WalletCall {
  if (kind === 'key') return { target, data };
  if (kind === 'proxy') {
    const args = [[{ typeCode: 1, to: target, value: 0n, data }]] as const;
    return { target: FACTORIES.proxy, data: encodeFunctionData({ abi: ABI, functionName: 'proxy', args }) };
  }
  // The owner sends the transaction, which counts as its signature: its address, and 1 as the last byte.
  const approved = `${pad(account.address, { size: 32 })}${'0'.repeat(64)}01` as Hex;
  const rest = [0, 0n, 0n, 0n, zeroAddress, zeroAddress, approved] as const;
  return {
    target: wallet,
    data: encodeFunctionData({
      abi: ABI,
      functionName: 'execTransaction',
      args: [target, 0n, data, ...rest],
    }),
  };
}
