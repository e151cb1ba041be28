// The most recent messages of a stream, so that a disconnected reader can resume. Message ids are
// version-index; the snapshot's version orders messages across restarts and replicas.

export interface StreamMessage {
  version: number;
  index: number;
  /**
   * For a slow reader, a later message with the same key replaces an earlier one; null if every message must
   * be delivered.
   */
  replaceKey: string | null;
  bytes: Buffer;
}

export interface StreamLog {
  /** Sets the newest version, even if it has no messages. */
  noteVersion(version: number): void;
  append(message: StreamMessage): void;
  /** Clears the log; it then covers only later versions. */
  restart(sinceVersion: number): void;
  /**
   * Messages after the id, oldest first; null if the log no longer covers the id or did not issue it.
   */
  findAfter(lastEventId: string): StreamMessage[] | null;
}

/** Sorts after every message of its version, because a snapshot includes them all. */
export const SNAPSHOT_INDEX = 1_000_000;

export function formatMessage(version: number, index: number, event: string, data: unknown): Buffer {
  const text = `id: ${version}-${index}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  // Allocated separately, because a short slice of the shared pool would retain the whole slab.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** The log is complete starting at `sinceVersion`. */
export function createStreamLog(capacity: number, sinceVersion: number): StreamLog {
  let messages: StreamMessage[] = [];
  let coveredFrom = sinceVersion;
  let newestVersion = sinceVersion;

  return {
    restart(version) {
      messages = [];
      coveredFrom = version;
      newestVersion = version;
    },
    noteVersion(version) {
      newestVersion = version;
    },
    append(message) {
      newestVersion = Math.max(newestVersion, message.version);
      messages.push(message);
      if (messages.length < capacity * 2) return;
      messages = messages.slice(-capacity);
      // Some messages of the oldest version may be gone, so the log covers only later versions.
      coveredFrom = messages[0]!.version;
    },
    findAfter(lastEventId) {
      const match = /^(\d{1,15})-(\d{1,7})$/.exec(lastEventId);
      if (!match) return null;
      const version = Number(match[1]);
      const index = Number(match[2]);
      if (version < coveredFrom || version > newestVersion) return null;
      return messages.filter(
        (message) => message.version > version || (message.version === version && message.index > index),
      );
    },
  };
}
