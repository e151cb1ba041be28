// A signing key's wallets, with addresses derived from the key as the market's factories derive them.

import {
  concat,
  encodeAbiParameters,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  numberToHex,
  pad,
} from 'viem';

export const FACTORIES = {
  deposit: '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07',
  depositBeacon: '0x7A18EDfe055488A3128f01F563e5B479D92ffc3a',
  depositImplementation: '0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB',
  proxy: '0xaB45c5A4B0c941a2F231C04C3f49182e1A254052',
  proxyImplementation: '0x44e999d5c2F66Ef0861317f9A4805AC2e90aEB4f',
  safe: '0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b',
} as const;
const SAFE_INIT_HASH = '0x2bce2127ff07fb632d16c8347c4ebf501f4841168bed00d9e6ef715ddb6fcecf';

export interface DerivedWallets {
  /** Since 2026-06-29. */
  depositBeacon: Hex;
  /** Before 2026-06-29. */
  depositUups: Hex;
  safe: Hex;
  proxy: Hex;
}

/** Every contract wallet that may belong to a key. */
export function deriveWallets(owner: Hex): DerivedWallets {
  return {
    depositBeacon: beaconDepositWallet(owner),
    depositUups: legacyDepositWallet(owner),
    safe: safeWallet(owner),
    proxy: proxyWallet(owner),
  };
}

function proxyWallet(signer: Hex): Hex {
  const code =
    `0x3d3d606380380380913d393d73${FACTORIES.proxy.slice(2)}5af4602a57600080fd5b602d8060366000396000f3363d3d373d3d3d363d73${FACTORIES.proxyImplementation.slice(2)}5af43d82803e903d91602b57fd5bf352e831dd00000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000000`.toLowerCase() as Hex;
  return getCreate2Address({
    from: FACTORIES.proxy,
    bytecodeHash: keccak256(code),
    salt: keccak256(encodePacked(['address'], [signer])),
  });
}

function safeWallet(signer: Hex): Hex {
  const salt = keccak256(encodeAbiParameters([{ type: 'address' }], [signer]));
  return getCreate2Address({ from: FACTORIES.safe, bytecodeHash: SAFE_INIT_HASH, salt });
}

function beaconDepositWallet(signer: Hex): Hex {
  return depositWallet(signer, 0x6100523d8160233d3973n, FACTORIES.depositBeacon, [
    '0x60195155f3363d3d373d3d363d602036600436635c60da',
    '0x1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c',
    '0xb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3',
  ]);
}

function legacyDepositWallet(signer: Hex): Hex {
  return depositWallet(signer, 0x61003d3d8160233d3973n, FACTORIES.depositImplementation, [
    '0x6009',
    '0x5155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076',
    '0xcc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
  ]);
}

function depositWallet(signer: Hex, prefix: bigint, target: Hex, parts: readonly Hex[]): Hex {
  const args = encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes32' }],
    [FACTORIES.deposit, pad(signer, { size: 32 })],
  );
  const argsBytes = BigInt((args.length - 2) / 2);
  const head = numberToHex(prefix + (argsBytes << 56n), { size: 10 });
  return getCreate2Address({
    from: FACTORIES.deposit,
    bytecodeHash: keccak256(concat([head, target, ...parts, args])),
    salt: keccak256(args),
  });
}
