import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem';
import { TransactionRefused } from '../../simulator/chain/chain.ts';
import type { DemoPayments } from '../../simulator/chain/demo-payments.ts';
import { createAuthorizationReader } from '../../src/payments/reconciling/authorization-reader.ts';
import { type SignedPayment, signPayment } from './signing.ts';
import { createFundedWallet, PRICE, startChain, type Wallet } from './support.ts';

const ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

describe('the simulated dollar token', () => {
  let demo: DemoPayments;
  before(async () => {
    demo = await startChain();
  });
  after(() => demo.close());

  /** Sends a call from a wallet with gas, and returns whether it succeeded. */
  async function send(wallet: Wallet, data: Hex): Promise<boolean> {
    await demo.chain.fundGas(wallet.address);
    const raw = await wallet.account.signTransaction({
      type: 'eip1559',
      chainId: 84532,
      nonce: await demo.chain.nonce(wallet.address),
      to: demo.asset as Hex,
      data,
      gas: 300_000n,
      maxFeePerGas: 100n,
      maxPriorityFeePerGas: 1n,
    });
    return (await demo.chain.send(raw)).succeeded;
  }

  function transferData({ authorization: a, signature }: SignedPayment): Hex {
    const { v, r, s } = parseSignature(signature) as { v: bigint; r: Hex; s: Hex };
    return encodeFunctionData({
      abi: ABI,
      functionName: 'transferWithAuthorization',
      args: [
        a.from as Hex,
        a.to as Hex,
        BigInt(a.value!),
        BigInt(a.validAfter!),
        BigInt(a.validBefore!),
        a.nonce as Hex,
        Number(v),
        r,
        s,
      ],
    });
  }

  it('distinguishes a cancelled authorisation from a used and an unused one', async () => {
    const wallet = await createFundedWallet(demo);
    const reader = createAuthorizationReader(demo.network, demo.rpcUrl);
    const payment = await signPayment(demo, wallet);
    const key = {
      asset: demo.asset,
      payer: wallet.address,
      nonce: payment.authorization.nonce!,
      payTo: demo.payTo,
      amount: String(PRICE),
      sinceTs: Date.now() - 1_000,
    };
    assert.equal((await reader.read(key)).kind, 'unused');
    const cancellation = await wallet.account.signTypedData({
      domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: demo.asset as Hex },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: wallet.address, nonce: key.nonce as Hex },
    });
    const { v, r, s } = parseSignature(cancellation) as { v: bigint; r: Hex; s: Hex };
    const args = [wallet.address, key.nonce as Hex, Number(v), r, s] as const;
    assert.equal(
      await send(wallet, encodeFunctionData({ abi: ABI, functionName: 'cancelAuthorization', args })),
      true,
    );
    assert.equal((await reader.read(key)).kind, 'cancelled');
    assert.equal(await send(wallet, transferData(payment)), false);
    const used = await signPayment(demo, wallet);
    assert.equal(await send(wallet, transferData(used)), true);
    const use = await reader.read({ ...key, nonce: used.authorization.nonce! });
    assert.equal(use.kind === 'used' && demo.chain.find(use.transaction!)?.succeeded, true);
  });

  it('rejects a transaction with a wrong account nonce or without gas', async () => {
    const wallet = await createFundedWallet(demo);
    const sign = (at: number) =>
      wallet.account.signTransaction({
        type: 'eip1559',
        chainId: 84532,
        nonce: at,
        to: demo.asset as Hex,
        gas: 50_000n,
        maxFeePerGas: 100n,
        maxPriorityFeePerGas: 1n,
      });
    await assert.rejects(demo.chain.send(await sign(0)), TransactionRefused);
    await demo.chain.fundGas(wallet.address);
    await assert.rejects(demo.chain.send(await sign(5)), /nonce too high/);
  });
});
