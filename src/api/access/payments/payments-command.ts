// npm run payments -- list|reconcile|export: what was paid, and the end of what was left open.

import { type Clock, sleep } from '../../../runtime/clock.ts';
import { UsageError } from '../../../runtime/errors.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { PaymentRecord, PaymentStore } from '../../../store/ports.ts';
import type { AuthorizationReader } from './reconciling/authorization-reader.ts';
import { type ReconcileSummary, reconcilePayments } from './reconciling/reconcile.ts';
import { type PaymentRow, toCsv, toPaymentRow } from './wire.ts';

export const PAYMENTS_USAGE = `npm run payments -- list [--json] [--limit N]
npm run payments -- export [--json]          all payments as CSV or JSON
npm run payments -- reconcile [--no-wait] [--json]   ends open payments; waits until all are decided`;

const PAGE = 500;
const LIST_COLUMNS: (keyof PaymentRow)[] = [
  'time',
  'state',
  'amount',
  'payer',
  'route',
  'transaction',
  'reason',
];
const EXPORT_COLUMNS: (keyof PaymentRow)[] = [
  'payment_id',
  ...LIST_COLUMNS,
  'network',
  'asset',
  'pay_to',
  'nonce',
  'valid_before',
  'updated_ts',
];
/** A call that began this recently may still be running. */
const RUNNING_CALL_MS = 10_000;
/** Nobody can still be settling after this. */
const ORPHAN_MS = 150_000;
const WAIT_BETWEEN_PASSES_MS = 2_000;
const LONGEST_WAIT_MS = 600_000;

export interface PaymentsCommandOptions {
  payments: PaymentStore;
  /** Opened only when something has to be asked of the chain. */
  openReader: () => Promise<{ reader: AuthorizationReader; close(): Promise<void> }>;
  clock: Clock;
  logger: Logger;
  print: (text: string) => void;
}

/** True when nothing is left to do. */
export async function runPaymentsCommand(
  args: readonly string[],
  options: PaymentsCommandOptions,
): Promise<boolean> {
  const [command, ...flags] = args;
  const isJson = flags.includes('--json');
  if (command === 'list') return list(options, isJson, readLimit(flags));
  if (command === 'export') return exportAll(options, isJson);
  if (command === 'reconcile') return reconcile(options, isJson, !flags.includes('--no-wait'));
  throw new UsageError(`list, reconcile or export?\n${PAYMENTS_USAGE}`);
}

async function list(options: PaymentsCommandOptions, isJson: boolean, limit: number): Promise<boolean> {
  const rows = (await listNewest(options.payments, limit)).map(toPaymentRow);
  const lines = rows.map((row) => LIST_COLUMNS.map((column) => row[column] ?? '-').join('  '));
  options.print(isJson ? `${JSON.stringify(rows)}\n` : lines.map((line) => `${line}\n`).join(''));
  return true;
}

async function exportAll(options: PaymentsCommandOptions, isJson: boolean): Promise<boolean> {
  const rows = (await listNewest(options.payments, Number.POSITIVE_INFINITY)).map(toPaymentRow).reverse();
  options.print(isJson ? `${JSON.stringify(rows)}\n` : toCsv(rows, EXPORT_COLUMNS));
  return true;
}

async function reconcile(options: PaymentsCommandOptions, isJson: boolean, waits: boolean): Promise<boolean> {
  const { payments, clock, logger } = options;
  const chain = await options.openReader();
  const total: ReconcileSummary = { released: 0, settled: 0, failed: 0, open: 0 };
  const deadlineTs = clock.now() + (waits ? LONGEST_WAIT_MS : 0);
  try {
    for (;;) {
      const pass = await reconcilePayments({
        payments,
        reader: chain.reader,
        clock,
        logger,
        minBegunAgeMs: RUNNING_CALL_MS,
        minSettlingAgeMs: RUNNING_CALL_MS,
        orphanAgeMs: ORPHAN_MS,
      });
      total.released += pass.released;
      total.settled += pass.settled;
      total.failed += pass.failed;
      total.open = (await listOpen(options)).length;
      if (total.open === 0 || clock.now() >= deadlineTs) break;
      await sleep(clock, WAIT_BETWEEN_PASSES_MS);
    }
  } finally {
    await chain.close();
  }
  const { released, settled, failed, open } = total;
  options.print(
    isJson
      ? `${JSON.stringify(total)}\n`
      : `${settled} settled, ${failed} failed, ${released} released, ${open} still open\n`,
  );
  return open === 0;
}

function listOpen({ payments, clock }: PaymentsCommandOptions): Promise<PaymentRecord[]> {
  return payments.listByState(['reserved', 'verified', 'settling', 'undecided'], clock.now() + 1);
}

async function listNewest(payments: PaymentStore, limit: number): Promise<PaymentRecord[]> {
  const rows: PaymentRecord[] = [];
  while (rows.length < limit) {
    const page = await payments.list({ limit: Math.min(PAGE, limit - rows.length), offset: rows.length });
    rows.push(...page);
    if (page.length < PAGE) break;
  }
  return rows;
}

function readLimit(flags: readonly string[]): number {
  const at = flags.indexOf('--limit');
  if (at < 0) return Number.POSITIVE_INFINITY;
  const limit = Number(flags[at + 1]);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1');
  return limit;
}
