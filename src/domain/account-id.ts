/** Id of an account's rows. It never changes and is never reused. */
export type AccountId = string;
