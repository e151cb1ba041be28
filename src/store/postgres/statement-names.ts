// Names for repeated statements, so that the server parses and plans them once per connection. Not used with
// a transaction-mode pooler, which switches connections.

export interface StatementNames {
  /** undefined if the statement must not be named or need not be. */
  find(text: string): string | undefined;
}

/** Longer statements contain rows and vary in length, so they rarely repeat. */
const LONGEST_TEXT = 2_000;
/** The server stores prepared statements per connection. */
const MOST_NAMES = 200;
/** `select *` is not prepared, because a newer version may add a column while this one runs. */
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
