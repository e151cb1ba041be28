// The price of a call in both protocol versions, and the 402 response that contains it.

import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { Network, PaymentRequirements } from '@x402/core/types';
import { convertToTokenAmount, numberToDecimalString } from '@x402/core/utils';
import { getDefaultAsset } from '@x402/evm';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import { UsageError } from '../runtime/errors.ts';
import type { PaidRequest, PaymentSettings } from './payment-gate.ts';

const MIME_TYPE = 'application/json';
const MAX_TIMEOUT_S = 120;

/** Protocol version 1; outputSchema is omitted because version 1 clients reject null. */
interface TermsV1 extends Omit<PaymentRequirements, 'network' | 'amount'> {
  network: string;
  maxAmountRequired: string;
  resource: string;
  description: string;
  mimeType: string;
}

export interface PaymentTerms {
  network: string;
  /** null if version 1 has no name for the network. */
  networkV1: string | null;
  asset: string;
  v2(request: PaidRequest): PaymentRequirements;
  v1(request: PaidRequest): TermsV1 | null;
  challenge(request: PaidRequest, detail: string): { headers: Record<string, string>; body: object };
}

export function createPaymentTerms(settings: PaymentSettings): PaymentTerms {
  const { network, payTo, maxTimeoutSeconds = MAX_TIMEOUT_S } = settings;
  const { asset, decimals, name, version } = findToken(network);
  const networkV1 = findNetworkNameV1(network);
  const shared = { scheme: 'exact', asset, payTo, maxTimeoutSeconds, extra: { name, version } };
  const amountOf = ({ priceUsd }: PaidRequest) =>
    convertToTokenAmount(numberToDecimalString(priceUsd), decimals);

  const v2 = (request: PaidRequest): PaymentRequirements => ({
    ...shared,
    network,
    amount: amountOf(request),
  });

  function v1(request: PaidRequest): TermsV1 | null {
    if (networkV1 === null) return null;
    const { url: resource, description } = request;
    const maxAmountRequired = amountOf(request);
    return { ...shared, network: networkV1, maxAmountRequired, resource, description, mimeType: MIME_TYPE };
  }

  function challenge(request: PaidRequest, detail: string) {
    const { url, description } = request;
    const required = {
      x402Version: 2,
      error: detail,
      resource: { url, description, mimeType: MIME_TYPE },
      accepts: [v2(request)],
    };
    const termsV1 = v1(request);
    const faucet = settings.demoFaucetUrl ? { demo: { faucet_url: settings.demoFaucetUrl } } : {};
    return {
      headers: {
        'payment-required': encodePaymentRequiredHeader(required),
        'cache-control': 'no-store',
      },
      body: { detail, x402Version: 1, error: detail, accepts: termsV1 ? [termsV1] : [], ...faucet },
    };
  }

  return { network, networkV1, asset, v2, v1, challenge };
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
