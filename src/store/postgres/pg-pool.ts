// Connections to PostgreSQL: settings, number parsing, and a pool that survives server restarts.

import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { errorMessage } from '../../runtime/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Database } from '../schema.ts';
import { isConnectionTrouble } from './pg-errors.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Writers to the same row hold connections while they wait; callers with less time set a deadline. */
const POOL_WAIT_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** A paused process must not keep its locks, because the next leader waits for them. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** Longer than the server's own timeout, in case the server cannot report a timeout. */
const ANSWER_TIMEOUT_MS = 20_000;
const DEFAULT_POOL_SIZE = 10;
const INT8 = 20;

export interface PoolOptions {
  databaseUrl: string;
  /** A pooler refuses session settings at connect, so set them on the role instead. */
  isBehindPooler: boolean;
  poolSize?: number | undefined;
  logger: Logger;
}

export function createPgKysely(options: PoolOptions): Kysely<Database> {
  const pool = new pg.Pool({
    ...clientSettings(options.databaseUrl),
    connectionTimeoutMillis: POOL_WAIT_MS,
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    query_timeout: ANSWER_TIMEOUT_MS,
    ...(options.isBehindPooler
      ? {}
      : {
          statement_timeout: STATEMENT_TIMEOUT_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
        }),
  });
  // Log only the message: the pool attaches the whole connection to the error, with its cancel key.
  const report = (error: Error) =>
    options.logger.warn({ error: errorMessage(error) }, 'store connection lost');
  // Without both listeners, a server restart would end the process.
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', () => {}));
  const names = options.isBehindPooler ? null : createStatementNames();
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: wrapPool(pool, names) }) });
}

/** A dedicated connection outside the pool. */
export function createPgClient(databaseUrl: string, answerTimeoutMs = ANSWER_TIMEOUT_MS): pg.Client {
  return new pg.Client({ ...clientSettings(databaseUrl), query_timeout: answerTimeoutMs });
}

function clientSettings(databaseUrl: string): pg.ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: 'tallycast',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Times, ids and counts are far below 2 ** 53; by default the driver returns them as text. */
const getTypeParser = ((typeId: number, format?: 'text' | 'binary') =>
  typeId === INT8 ? Number : pg.types.getTypeParser(typeId, format)) as typeof pg.types.getTypeParser;

function wrapPool(pool: pg.Pool, names: StatementNames | null): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => wrapClient(await pool.connect(), names),
  };
}

/** Cleans up parameters, and keeps failed connections out of the pool. */
function wrapClient(client: pg.PoolClient, names: StatementNames | null): PostgresPoolClient {
  let isBroken = false;
  return {
    async query(text: string, parameters: readonly unknown[]) {
      try {
        const name = names?.find(text);
        const values = parameters.map(toInput);
        return await client.query(name === undefined ? { text, values } : { name, text, values });
      } catch (error) {
        isBroken ||= isConnectionTrouble(error);
        throw error;
      }
    },
    release: (destroy?: boolean) => client.release(isBroken || destroy),
  } as unknown as PostgresPoolClient;
}

/** PostgreSQL cannot store NUL in text; bytes must be a Buffer. */
function toInput(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value;
  if (Array.isArray(value)) return value.map(toInput);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}

/**
 * Names for repeated statements, so that the server parses and plans them once per connection. Not used with
 * a transaction-mode pooler, which switches connections.
 */
interface StatementNames {
  /** undefined if the statement must not be named or need not be. */
  find(text: string): string | undefined;
}

/** Longer statements contain rows and vary in length, so they rarely repeat. */
const LONGEST_TEXT = 2_000;
/** The server stores prepared statements per connection. */
const MAX_NAMES = 200;
/** `select *` is not prepared, because a newer version may add a column while this one runs. */
const READS_ALL_COLUMNS = /^select\b.*?(?:select|[,.])\s*\*|^select\s*\*|\breturning\s*\*/is;
const IS_WORTH_A_NAME = /^\s*(?:select|insert|update|delete|with)\b/i;

export function createStatementNames(): StatementNames {
  const names = new Map<string, string | undefined>();
  return {
    find(text) {
      if (names.has(text)) return names.get(text);
      if (names.size >= MAX_NAMES || text.length > LONGEST_TEXT) return undefined;
      const name =
        IS_WORTH_A_NAME.test(text) && !READS_ALL_COLUMNS.test(text.trimStart())
          ? `tallycast_${names.size}`
          : undefined;
      names.set(text, name);
      return name;
    },
  };
}
