/** What an account's rows are kept under. It never changes and is never used again for another. */
export type AccountId = string;
