// Compiles the token of the payment tests' EVM: node scripts/compile-token.ts. A test checks that the committed
// bytecode matches the source.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const CHAIN_DIR = join(import.meta.dirname, '..', 'test', 'payments', 'evm');
const SOURCE_FILE = join(CHAIN_DIR, 'token.sol');
export const BYTECODE_FILE = join(CHAIN_DIR, 'token-bytecode.ts');

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
}

/** Returns the content of token-bytecode.ts for token.sol. */
export function compileToken(): string {
  const solc = createRequire(import.meta.url)('solc') as {
    compile(input: string): string;
    version(): string;
  };
  const input = {
    language: 'Solidity',
    sources: { 'token.sol': { content: readFileSync(SOURCE_FILE, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      viaIR: true,
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const contracts = output.contracts['token.sol']!;
  return [
    '// Generated from token.sol by scripts/compile-token.ts; do not edit.',
    '',
    declare('DEMO_DOLLAR_BYTECODE', contracts.PretendDollar!.evm.deployedBytecode.object),
    '',
    declare('DEMO_MULTICALL_BYTECODE', contracts.PretendMulticall!.evm.deployedBytecode.object),
    '',
  ].join('\n');
}

function declare(name: string, bytecode: string): string {
  return `export const ${name} =\n  '0x${bytecode}';`;
}

if (import.meta.main) writeFileSync(BYTECODE_FILE, compileToken());
