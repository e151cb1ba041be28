import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { type Logger, silentLogger } from '../../src/runtime/logger.ts';
import { startHarness } from '../api/harness.ts';

describe('a caller that disconnects while sending its body', () => {
  it('causes no error in the log', { timeout: 30_000 }, async () => {
    const { logger, lines, untilLogged } = recordLines(/incomplete/);
    const harness = await startHarness({ logger });
    try {
      hangUpInBody(harness.port, '/mcp');
      await untilLogged;
      assert.deepEqual(
        lines.filter((line) => !line.startsWith('debug')),
        [],
      );
    } finally {
      await harness.close();
    }
  });
});

function recordLines(awaited: RegExp) {
  const lines: string[] = [];
  const { promise: untilLogged, resolve } = Promise.withResolvers<void>();
  const note = (level: string) => (details: object, message: string) => {
    const line = `${level}: ${message} ${JSON.stringify(details)}`;
    lines.push(line);
    if (awaited.test(line)) resolve();
  };
  const levels = { debug: note('debug'), warn: note('warn'), error: note('error') };
  const logger: Logger = { ...silentLogger, ...levels, child: () => logger };
  return { logger, lines, untilLogged };
}

/** Disconnects after the service has started reading the body. */
function hangUpInBody(port: number, path: string): void {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'Content-Length: 500',
    'Expect: 100-continue',
  ];
  socket.once('data', () => socket.write('{"half', () => socket.destroy()));
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
}
