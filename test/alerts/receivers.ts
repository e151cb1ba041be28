// Many receivers on one port, each with its own path. Hanging ones accept the request and never
// respond.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface Receipt {
  receiver: number;
  deliveryId: string;
  alertId: string;
  eventId: number;
  /** Our count as reported in the alert. */
  count: number;
  kind: string;
  /** Zero-based index of the leader that sent it. */
  leader: number;
}

export interface Receivers {
  urlOf(receiver: number): string;
  receipts: Receipt[];
  hanging: ReadonlySet<number>;
  /** From now on, the first receivers accept requests without responding. */
  hang(receivers: number): void;
  /**
   * Waits until every request of a killed leader has been received, so that none is attributed to the next
   * leader.
   */
  untilAlone(): Promise<void>;
  close(): Promise<void>;
}

export async function startReceivers(currentLeader: () => number): Promise<Receivers> {
  const receipts: Receipt[] = [];
  const hanging = new Set<number>();

  function take(receiver: number, req: IncomingMessage, res: ServerResponse): void {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString());
      receipts.push({
        ...{ receiver, deliveryId: String(req.headers['webhook-id']), alertId: data.notice_id },
        ...{ eventId: data.event_id, count: data.real_counter, kind: type.replace(/^notice\./, '') },
        leader: currentLeader(),
      });
      res.writeHead(204).end();
    });
  }

  const server = createServer((req, res) => {
    const receiver = Number(req.url!.slice(1));
    if (!hanging.has(receiver)) take(receiver, req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 2_000, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ urlOf: (receiver) => `http://127.0.0.1:${port}/${receiver}`, receipts, hanging },
    hang(receivers) {
      for (let receiver = 0; receiver < receivers; receiver++) hanging.add(receiver);
    },
    async untilAlone() {
      while ((await countConnections(server)) > 0) await wait(5);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
