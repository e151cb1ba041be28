// Messages that arrived at the simulated receivers, in order of arrival.

export interface Received {
  system: 'telegram' | 'discord' | 'push';
  /** Chat, webhook or subscription. */
  to: string;
  /** null if only the browser can read it. */
  text: string | null;
  receivedTs: number;
}

export interface Mailbox {
  add(message: Received): void;
  list(): readonly Received[];
}

const KEPT = 1_000;

export function createMailbox(): Mailbox {
  const messages: Received[] = [];
  return {
    add(message) {
      messages.push(message);
      if (messages.length > KEPT) messages.shift();
    },
    list: () => messages,
  };
}
