// Verifies and settles exact-scheme payments on one EVM network, using the x402 packages.

import { x402Facilitator } from '@x402/core/facilitator';
import type {
  Network,
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  VerifyResponse,
} from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import type { Clock } from '../../runtime/clock.ts';
import { errorMessage } from '../../runtime/errors.ts';
import { createChainSigner } from './chain-signer.ts';

export interface FacilitatorSettings {
  /** CAIP-2, for example eip155:8453. */
  network: `eip155:${string}`;
  rpcUrl: string;
  /** Wallet that pays the gas for settlements. */
  privateKey: string;
  /** Recipients to settle for; null settles for anyone, and this wallet pays the gas. */
  payTo: readonly string[] | null;
  receiptPollMs?: number;
}

/** The node did not respond, so the payment can be neither accepted nor rejected. */
export class ChainUnreachable extends Error {}
/** The request is malformed. */
export class UnreadablePayment extends Error {}

export interface Facilitator {
  address: string;
  supported(): object;
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>;
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>;
}

export function createFacilitator(settings: FacilitatorSettings, clock: Clock): Facilitator {
  const chainId = Number(settings.network.split(':')[1]);
  const chain = createChainSigner({
    rpcUrl: settings.rpcUrl,
    privateKey: settings.privateKey,
    chainId,
    clock,
    receiptPollMs: settings.receiptPollMs ?? 500,
  });
  const core = new x402Facilitator();
  core.register(settings.network, new ExactEvmScheme(chain.signer));
  const namesV1 = networkNamesV1(chainId);
  if (namesV1.length > 0) core.registerV1(namesV1, new ExactEvmSchemeV1(chain.signer));
  const payees = settings.payTo?.map((address) => address.toLowerCase()) ?? null;

  async function run<T>(work: () => Promise<T>, isDecided: (result: T) => boolean): Promise<T> {
    const { result, error, fault } = await chain.watchFaults(work);
    if (result !== null && (fault === null || isDecided(result))) return result;
    if (fault !== null) throw new ChainUnreachable(fault);
    throw new UnreadablePayment(errorMessage(error));
  }

  function isServed(requirements: PaymentRequirements): boolean {
    return payees === null || payees.includes(String(requirements.payTo).toLowerCase());
  }

  return {
    address: chain.address,
    supported: () => core.getSupported(),
    async verify(payload, requirements) {
      if (!isServed(requirements)) return { isValid: false, invalidReason: 'pay_to_not_served' };
      return run(
        () => core.verify(payload, requirements),
        (result) => result.isValid,
      );
    },
    async settle(payload, requirements) {
      if (!isServed(requirements)) {
        const { network } = requirements;
        return { success: false, errorReason: 'pay_to_not_served', transaction: '', network };
      }
      return run(
        () => core.settle(payload, requirements),
        (result) => result.success,
      );
    },
  };
}

/** This chain's names in protocol version 1; no other chain is registered. */
function networkNamesV1(chainId: number): Network[] {
  return Object.entries(EVM_NETWORK_CHAIN_ID_MAP)
    .filter(([, id]) => id === chainId)
    .map(([name]) => name as Network);
}
