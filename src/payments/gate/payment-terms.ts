// The price of a call in both protocol versions, and the 402 response that contains it.

import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { Network, PaymentRequirements } from '@x402/core/types';
import { convertToTokenAmount, numberToDecimalString } from '@x402/core/utils';
import { getDefaultAsset } from '@x402/evm';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import { UsageError } from '../../runtime/errors.ts';
import type { PaidRoute, ResolvedPaymentSettings } from '../payment-gate.ts';

const MIME_TYPE = 'application/json';

/** Protocol version 1; outputSchema is omitted because version 1 clients reject null. */
export interface TermsV1 {
  scheme: 'exact';
  network: string;
  maxAmountRequired: string;
  resource: string;
  description: string;
  mimeType: string;
  payTo: string;
  maxTimeoutSeconds: number;
  asset: string;
  extra: Record<string, unknown>;
}

export interface PaymentTerms {
  network: string;
  /** null if version 1 has no name for the network. */
  networkV1: string | null;
  asset: string;
  decimals: number;
  /** Token name and version, as wallets sign them. */
  signedName: { name: string; version: string };
  v2(route: PaidRoute): PaymentRequirements;
  v1(route: PaidRoute): TermsV1 | null;
  challenge(route: PaidRoute, detail: string): { headers: Record<string, string>; body: object };
}

export function createPaymentTerms(settings: ResolvedPaymentSettings): PaymentTerms {
  const token = findToken(settings.network);
  const extra = { name: token.name, version: token.version };
  const networkV1 = findNetworkNameV1(settings.network);

  function amountOf(route: PaidRoute): string {
    return convertToTokenAmount(numberToDecimalString(route.priceUsd), token.decimals);
  }

  function v2(route: PaidRoute): PaymentRequirements {
    return {
      scheme: 'exact',
      network: settings.network,
      amount: amountOf(route),
      asset: token.asset,
      payTo: settings.payTo,
      maxTimeoutSeconds: settings.maxTimeoutSeconds,
      extra,
    };
  }

  function v1(route: PaidRoute): TermsV1 | null {
    if (networkV1 === null) return null;
    return {
      scheme: 'exact',
      network: networkV1,
      maxAmountRequired: amountOf(route),
      resource: route.url,
      description: route.description,
      mimeType: MIME_TYPE,
      payTo: settings.payTo,
      maxTimeoutSeconds: settings.maxTimeoutSeconds,
      asset: token.asset,
      extra,
    };
  }

  function challenge(route: PaidRoute, detail: string) {
    const required = {
      x402Version: 2,
      error: detail,
      resource: { url: route.url, description: route.description, mimeType: MIME_TYPE },
      accepts: [v2(route)],
    };
    const termsV1 = v1(route);
    return {
      headers: {
        'payment-required': encodePaymentRequiredHeader(required),
        'cache-control': 'no-store',
      },
      body: {
        detail,
        x402Version: 1,
        error: detail,
        accepts: termsV1 ? [termsV1] : [],
        ...(settings.demoFaucetUrl ? { demo: { faucet_url: settings.demoFaucetUrl } } : {}),
      },
    };
  }

  return {
    network: settings.network,
    networkV1,
    asset: token.asset,
    decimals: token.decimals,
    signedName: extra,
    v2,
    v1,
    challenge,
  };
}

function findToken(network: string): ReturnType<typeof getDefaultAsset> {
  try {
    return getDefaultAsset(network as Network);
  } catch {
    throw new UsageError(`PAYMENT_NETWORK ${network}: no known dollar token`);
  }
}

function findNetworkNameV1(network: string): string | null {
  const chainId = Number(network.split(':')[1]);
  return Object.entries(EVM_NETWORK_CHAIN_ID_MAP).find(([, id]) => id === chainId)?.[0] ?? null;
}
