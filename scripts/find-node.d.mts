export const DOWNLOADS: Readonly<Record<string, { version: string; integrity: string }>>;
export function findNode(): string | null;
