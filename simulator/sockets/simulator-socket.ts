// The server side of a websocket, independent of the transport: text in, text out, close.

export interface SocketPeer {
  send(text: string): void;
  /** Closes, with a system-specific code if there is a reason. */
  close(code?: number): void;
}

export interface SocketSession {
  receive(text: string): void;
  /** Called when the peer disconnects. */
  closed(): void;
}

export type SocketHandler = (peer: SocketPeer) => SocketSession;
