// Names for statements that come again, so that the server parses and plans them once per connection. A pooler in
// transaction mode gives another connection each time, and wants none.

export interface StatementNames {
  /** undefined for one that is not worth a name, or must not have one. */
  find(text: string): string | undefined;
}

/** Beyond that are texts as long as the rows that they write, each of another length. */
const LONGEST_TEXT = 2_000;
/** A server keeps them for every connection. */
const MOST_NAMES = 200;
/** Reads every column: planned each time, because a newer version may add one while this one runs. */
const READS_ALL_COLUMNS = /^select\b.*?(?:select|[,.])\s*\*|^select\s*\*|\breturning\s*\*/is;
const IS_WORTH_A_NAME = /^\s*(?:select|insert|update|delete|with)\b/i;

export function createStatementNames(): StatementNames {
  const names = new Map<string, string | undefined>();
  return {
    find(text) {
      if (names.has(text)) return names.get(text);
      if (names.size >= MOST_NAMES || text.length > LONGEST_TEXT) return undefined;
      const name =
        IS_WORTH_A_NAME.test(text) && !READS_ALL_COLUMNS.test(text.trimStart())
          ? `tallycast_${names.size}`
          : undefined;
      names.set(text, name);
      return name;
    },
  };
}
