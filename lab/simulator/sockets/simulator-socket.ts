// The server's half of a websocket, independent of transport: text in, text out, an end.

export interface SocketPeer {
  send(text: string): void;
  /** Closes, with a system-specific code if there is a reason. */
  close(code?: number): void;
}

export interface SocketSession {
  receive(text: string): void;
  /** The peer disconnected. */
  closed(): void;
}

export type SocketHandler = (peer: SocketPeer) => SocketSession;
