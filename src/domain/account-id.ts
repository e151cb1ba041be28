/** Id that ties stored rows to an account. It never changes and is never reused. */
export type AccountId = string;
