// The server's half of a websocket, free of transport: text in, text out, an end.

export interface SocketPeer {
  send(text: string): void;
  close(): void;
}

export interface SocketSession {
  receive(text: string): void;
  /** The peer went away. */
  closed(): void;
}

export type SocketHandler = (peer: SocketPeer) => SocketSession;
