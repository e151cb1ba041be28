// Messages received by the simulated alert receivers, in order of arrival.

export interface Received {
  system: 'telegram' | 'discord' | 'push';
  /** Id of the chat, webhook or subscription. */
  to: string;
  /** null if only the browser can decrypt it. */
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
