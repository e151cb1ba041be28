// Lists payments.

import { loadConfig } from '../../config/config.ts';
import { writeCsv } from '../../domain/csv.ts';
import { UsageError } from '../../runtime/errors.ts';
import type { PaymentRecord, PaymentStore } from '../../store/ports.ts';
import { readWhole, readWordsAndOptions } from '../arguments.ts';
import { type Command, DONE } from '../command.ts';
import { withStore } from '../open-configured-store.ts';
import { formatTable } from '../text-table.ts';

export const usage = `usage: npx tallycast payments list [--json | --csv] [--limit N]

List payments, newest first.

  --json     every field, as JSON
  --csv      every field, as CSV
  --limit N  only the newest N

examples:
  npx tallycast payments list --csv > payments.csv`;

const PAGE = 500;
const SHOWN = ['time', 'state', 'amount', 'payer', 'route', 'transaction', 'reason'] as const;

export const run: Command['run'] = async (args, terminal) => {
  const config = loadConfig(args, terminal.env, 'store');
  const { values, positionals } = readWordsAndOptions(config.rest, 1, {
    json: { type: 'boolean', default: false },
    csv: { type: 'boolean', default: false },
    limit: { type: 'string' },
  });
  if (positionals[0] !== 'list') throw new UsageError('expected list');
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : readWhole('--limit', values.limit);
  if (limit < 1) throw new UsageError('--limit must be a whole number of at least 1');
  await withStore(config, async ({ payments }) => {
    const rows = (await listNewest(payments, limit)).map(toPaymentRow);
    terminal.output.write(
      values.json ? `${JSON.stringify(rows)}\n` : values.csv ? toCsv(rows) : toTable(rows),
    );
  });
  return DONE;
};

async function listNewest(payments: PaymentStore, limit: number): Promise<PaymentRecord[]> {
  const rows: PaymentRecord[] = [];
  while (rows.length < limit) {
    const page = await payments.list({ limit: Math.min(PAGE, limit - rows.length), offset: rows.length });
    rows.push(...page);
    if (page.length < PAGE) break;
  }
  return rows;
}

type PaymentRow = ReturnType<typeof toPaymentRow>;

/** A payment as it is printed. Omits the payload, which contains a signature. */
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

function toCsv(rows: readonly PaymentRow[]): string {
  const columns = [
    ...SHOWN,
    'payment_id',
    'network',
    'asset',
    'pay_to',
    'nonce',
    'valid_before',
    'updated_ts',
  ] as const;
  return writeCsv(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  );
}

function toTable(rows: readonly PaymentRow[]): string {
  return formatTable(
    SHOWN,
    rows.map((row) => SHOWN.map((column) => row[column])),
  );
}
