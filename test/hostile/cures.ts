// What was once broken, and the line that cures it: undone, its test must fail. `npx tallycast prove-cures` undoes each.

export interface Cure {
  /** What an attacker or a bad day did. */
  of: string;
  file: string;
  /** Stands there once. */
  cure: string;
  undone: string;
  test: string;
  name: string;
}

export const CURES: readonly Cure[] = [
  {
    of: 'a revoked key’s stream went on',
    file: 'src/api/stream/stream-hub.ts',
    cure: 'const cancelWatch = onKeyEnd(() => {',
    undone: 'const cancelWatch = ((_: () => void) => () => {})(() => {',
    test: 'test/access/revocation.test.ts',
    name: 'ends within two seconds of the revocation',
  },
  {
    of: 'the ledger told the public what stands in open events',
    file: 'src/api/routes/performance.ts',
    cure: "const settledOnly = view !== 'pro';",
    undone: 'const settledOnly = false;',
    test: 'test/api/performance.test.ts',
    name: 'shows what stands in an open event to PRO alone',
  },
  {
    of: 'a paid answer was lost with its connection',
    file: 'src/api/access/payments/taking/repeats.ts',
    cure: "if (row?.state === 'settled' && row.reason === ANSWER_OWED) return claimOwed(context, call, signal);",
    undone: '',
    test: 'test/payments/lost-answers.test.ts',
    name: 'is owed to a payer who was cut off during settlement, once',
  },
  {
    of: 'worthless payments cost nothing to send',
    file: 'src/api/access/payments/taking/x402-gate.ts',
    cure: 'if (!(await isSignedByPayer(context.terms, parsed.payment))) {',
    undone: 'if (!isSignedByPayer) {',
    test: 'test/payments/lost-answers.test.ts',
    name: 'is refused without a row and without a question to the facilitator',
  },
  {
    of: 'a secret stood in the log',
    file: 'src/runtime/secrets.ts',
    cure: 'return pattern === null ? text : text.replace(pattern, MASK);',
    undone: 'return text;',
    test: 'src/runtime/secrets.test.ts',
    name: 'hides a key wherever an error quotes it',
  },
  {
    of: 'store files were open to everybody',
    file: 'src/runtime/private-files.ts',
    cure: 'if ((found.mode & FOR_OTHERS) === 0 || found.uid !== process.getuid?.()) return;',
    undone: 'if (found.uid >= 0) return;',
    test: 'test/store/permissions.test.ts',
    name: 'are closed to others where they were open',
  },
  {
    of: 'installing ran the scripts of packages',
    file: 'scripts/setup.mjs',
    cure: "run('npm', ['ci', '--ignore-scripts', ",
    undone: "run('npm', ['ci', ",
    test: 'test/hostile/dependencies.test.ts',
    name: 'are installed without running their scripts',
  },
  {
    of: 'one slow receiver held up all others',
    file: 'src/api/webhooks/deliveries.ts',
    cure: 'else beginTurn(webhookId, endpoint, notices.slice(0, perTurn(endpoint)));',
    undone: 'else { beginTurn(webhookId, endpoint, notices); await turns.get(webhookId)?.ended; }',
    test: 'src/api/webhooks/receivers.test.ts',
    name: 'holds up neither another customer nor what it is told later',
  },
  {
    of: 'names that never resolve filled the thread pool',
    file: 'src/api/webhooks/resolve-host.ts',
    cure: 'const timer = setTimeout(() => resolver.cancel(), withinMs);',
    undone:
      'const timer = setTimeout(() => {}, withinMs); return [(await import("node:dns/promises").then((dns) => dns.lookup(host))).address];',
    test: 'src/api/webhooks/receivers.test.ts',
    name: 'is given up in its own time and keeps no other lookup',
  },
  {
    of: 'connections that ignore their farewell were never freed',
    file: 'src/api/http/listener.ts',
    cure: 'const farewell = setTimeout(() => socket.destroy(), FAREWELL_MS);',
    undone: 'const farewell = setTimeout(() => {}, FAREWELL_MS);',
    test: 'test/hostile/connections.test.ts',
    name: 'of silent callers who ignore the farewell are freed',
  },
  {
    of: 'connections took every descriptor',
    file: 'src/api/http/connection-guard.ts',
    cure: 'if (open >= limits.total || own >= limits.perAddress) {',
    undone: 'if (limits.total < 0) {',
    test: 'test/hostile/connections.test.ts',
    name: 'in all stay below what the process may open',
  },
  {
    of: 'callers waited for a store that hangs',
    file: 'src/api/access/shared-limiter.ts',
    cure: 'createDeadline(options.clock, options.answerWithinMs ?? ANSWER_WITHIN_MS)',
    undone: 'createDeadline(options.clock, 20_000)',
    test: 'test/limits/shared-limiter.test.ts',
    name: 'waits 300 ms for a store that hangs',
  },
  {
    of: 'a stop never ended',
    file: 'src/app/closers.ts',
    cure: 'await within(clock, Math.max(LEAST_MS, leftMs), last.close());',
    undone: 'await (within.length + leftMs > 0 ? last.close() : undefined);',
    test: 'test/roles/hanging-database.test.ts',
    name: 'have their turn however many others hang',
  },
  {
    of: 'a post from the future was taken',
    file: 'src/sources/future-posts.ts',
    cure: 'return ts !== null && ts > nowTs + MAX_AHEAD_MS;',
    undone: 'return ts !== null && ts > nowTs + 1e15;',
    test: 'test/ingest/several-sources.test.ts',
    name: 'takes nothing from ahead of now',
  },
  {
    of: 'a batch at /mcp cost one request',
    file: 'src/api/routes/mcp.ts',
    cure: 'return messages > 1 ? raw.chargeMore(messages - 1) : null;',
    undone: 'return messages > 1e9 ? raw.chargeMore(messages - 1) : null;',
    test: 'test/mcp/mcp.test.ts',
    name: 'charge a batch for each of its messages',
  },
  {
    of: 'one key had all of the machine',
    file: 'src/api/http/pipeline.ts',
    cure: 'x.identity.inHand >= MOST_IN_HAND',
    undone: 'x.identity.inHand >= MOST_IN_HAND * 1e6',
    test: 'test/api/portfolio.test.ts',
    name: 'has no more than 32 calls of one key at work at once',
  },
  {
    of: 'a clock that jumps gave a second allowance',
    file: 'src/runtime/steady-time.ts',
    cure: 'if (Math.abs(jumpMs) > JUMP_MS) aheadMs += jumpMs;',
    undone: 'if (Math.abs(jumpMs) > JUMP_MS * 1e9) aheadMs += jumpMs;',
    test: 'test/limits/clock-jump.test.ts',
    name: 'by 3600001 ms: one allowance an hour',
  },
  {
    of: 'a worker’s late exit failed its successor’s calls',
    file: 'src/jobs/forecast-runner.ts',
    cure: 'if (running === started) running = null;',
    undone: 'running = null;',
    test: 'src/jobs/forecast-runner.test.ts',
    name: 'that ends late takes nothing of its successor with it',
  },
  {
    of: 'a key had 25 webhooks of 20',
    file: 'src/store/queries/webhooks.ts',
    cure: "await db.updateTable('api_keys').set({ key_id: keyId }).where('key_id', '=', keyId).execute();",
    undone: '',
    test: 'test/store/payments.test.ts',
    name: 'gives a key no more than its number, however many come at once',
  },
  {
    of: 'titles commanded the terminal',
    file: 'src/cli/text-table.ts',
    cure: "return text.replaceAll(/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+/gu, ' ');",
    undone: 'return text;',
    test: 'test/cli/ask.test.ts',
    name: 'give the terminal no orders',
  },
  {
    of: 'an IPv4 address had a second allowance in IPv6 hex',
    file: 'src/api/access/client-address.ts',
    cure: 'return findIPv4(groups) ?? ',
    undone: 'return ',
    test: 'src/api/access/access.test.ts',
    name: 'counts an IPv4 address as one caller',
  },
  {
    of: 'a market that paid another bucket was ignored',
    file: 'src/jobs/settle-events.ts',
    cure: 'if (said !== null) return said;',
    undone: 'if (said !== null && before === undefined) return said;',
    test: 'test/jobs/settling.test.ts',
    name: 'corrects the told bucket, the scores, the signals and the ledger',
  },
  {
    of: 'a replica that was cut off honoured revoked keys for ever',
    file: 'src/api/access/key-directory.ts',
    cure: 'if (revocations === knownRevocations) return;',
    undone:
      'if (!(await keys.list()).some(({ revokedTs }) => (revokedTs ?? 0) > clock.now() - 3_600_000)) return;',
    test: 'test/access/revocation.test.ts',
    name: 'learns of a revocation however long it was cut off',
  },
  {
    of: 'an empty book was a price of one half',
    file: 'src/jobs/backfill-track-record.ts',
    cure: 'return quotes.map((quote) => computeMarketPrice(quote ?? undefined, null));',
    undone: 'return quotes.map((quote) => computeMarketPrice && quote && (quote.bid! + quote.ask!) / 2);',
    test: 'test/jobs/settling.test.ts',
    name: 'has no price where the book was empty',
  },
];
