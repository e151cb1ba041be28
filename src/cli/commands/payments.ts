// Lists, exports and reconciles payments.

import { openDemoChain } from '../../../simulator/chain/demo-payments.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { loadPaymentChain } from '../../payments/load-payments.ts';
import type { AuthorizationReader } from '../../payments/reconciling/authorization-reader.ts';
import { type ReconcileSummary, reconcilePayments } from '../../payments/reconciling/reconcile.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { UsageError } from '../../runtime/errors.ts';
import { type Logger, silentLogger } from '../../runtime/logger.ts';
import type { PaymentRecord, PaymentStore } from '../../store/ports.ts';
import { readWhole, readWordsAndOptions } from '../arguments.ts';
import { type Command, DONE, FAILED } from '../command.ts';
import { withStore } from '../open-configured-store.ts';
import { toPrintable } from '../text-table.ts';

export const usage = `usage: npx tallycast payments list [--json] [--limit N]
       npx tallycast payments export [--json]
       npx tallycast payments reconcile [--no-wait] [--json]

list       list payments, newest first
export     write all payments as CSV, or as JSON with --json
reconcile  complete open payments, waiting until none are left; --no-wait checks once. Exits 1 if any stay open

examples:
  npx tallycast payments export > payments.csv`;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const services = { clock: terminal.clock, logger: silentLogger };
  const isDone = await withStore(config, ({ payments }) =>
    runPaymentsCommand(config.rest, {
      ...services,
      payments,
      print: (text) => void terminal.output.write(text),
      openReader: () => openReader(config, services),
    }),
  );
  return isDone ? DONE : FAILED;
};

async function openReader(config: Config, services: { clock: Clock; logger: Logger }) {
  const { payments, secrets, dataDir } = config;
  const demo = payments.mode === 'on' ? null : await openDemoChain({ ...services, dataDir });
  const rpcUrl = demo?.rpcUrl ?? secrets.facilitatorRpcUrl;
  const reader = await loadPaymentChain(demo?.network ?? payments.network, rpcUrl);
  return { reader, close: async () => demo?.close() };
}

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
/** A settlement call younger than this may still be running. */
const RUNNING_CALL_MS = 10_000;
/** No settlement call runs longer than this. */
const ORPHAN_MS = 150_000;
const WAIT_BETWEEN_PASSES_MS = 2_000;
const LONGEST_WAIT_MS = 600_000;

export interface PaymentsCommandOptions {
  payments: PaymentStore;
  /** Connects to the chain only if needed. */
  openReader: () => Promise<{ reader: AuthorizationReader; close(): Promise<void> }>;
  clock: Clock;
  logger: Logger;
  print: (text: string) => void;
}

/** Returns true when no open payments are left. */
async function runPaymentsCommand(
  args: readonly string[],
  options: PaymentsCommandOptions,
): Promise<boolean> {
  const { values, positionals } = readWordsAndOptions(args, 1, {
    json: { type: 'boolean', default: false },
    'no-wait': { type: 'boolean', default: false },
    limit: { type: 'string' },
  });
  const [verb] = positionals;
  if (verb === 'list') return list(options, values.json, readLimit(values.limit));
  if (verb === 'export') return exportAll(options, values.json);
  if (verb === 'reconcile') return reconcile(options, values.json, !values['no-wait']);
  throw new UsageError('expected list, reconcile or export');
}

async function list(options: PaymentsCommandOptions, isJson: boolean, limit: number): Promise<boolean> {
  const rows = (await listNewest(options.payments, limit)).map(toPaymentRow);
  const lines = rows.map((row) =>
    LIST_COLUMNS.map((column) => toPrintable(String(row[column] ?? '-'))).join('  '),
  );
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

function listOpen({ payments }: PaymentsCommandOptions): Promise<PaymentRecord[]> {
  return payments.listByState(['reserved', 'verified', 'settling', 'undecided']);
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

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = readWhole('--limit', text);
  if (limit < 1) throw new UsageError('--limit must be a whole number of at least 1');
  return limit;
}

/** A payment as it is printed and exported. Omits the payload, which contains a signature. */
function toPaymentRow(record: PaymentRecord) {
  return {
    payment_id: record.paymentId,
    time: new Date(record.createdTs).toISOString(),
    state: record.state,
    amount: record.amount,
    payer: record.payer,
    route: record.route,
    transaction: record.transaction,
    reason: record.reason,
    network: record.network,
    asset: record.asset,
    pay_to: record.payTo,
    nonce: record.nonce,
    valid_before: record.validBefore,
    created_ts: record.createdTs,
    updated_ts: record.updatedTs,
  };
}

type PaymentRow = ReturnType<typeof toPaymentRow>;

function toCsv(rows: readonly PaymentRow[], columns: readonly (keyof PaymentRow)[]): string {
  const lines = rows.map((row) => columns.map((column) => quote(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}

/** A leading = + - or @ would start a spreadsheet formula. */
function quote(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
