// The server's half of a websocket, free of transport: text in, text out, an end.

export interface SocketPeer {
  send(text: string): void;
  /** With a code of the system's own where it gives a reason. */
  close(code?: number): void;
}

export interface SocketSession {
  receive(text: string): void;
  /** The peer went away. */
  closed(): void;
}

export type SocketHandler = (peer: SocketPeer) => SocketSession;
