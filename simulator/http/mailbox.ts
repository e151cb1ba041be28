// Messages received by the simulated alert receivers, in order of arrival.

export interface Received {
  system: 'telegram' | 'discord';
  /** Id of the chat or webhook. */
  to: string;
  text: string;
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
