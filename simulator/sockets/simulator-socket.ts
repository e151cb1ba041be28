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

/** The message as an object; null if it is none. */
export function parseMessage(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
