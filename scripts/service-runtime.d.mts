export const SERVICE_FLAGS: readonly string[];
export function findServiceFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[];
export const SERVICE_ENVIRONMENT: Readonly<Record<string, string>>;
export const COMPILE_CACHE: string;
export const JOINED_SERVICE: string;
export const SERVICE_NODE_OPTIONS: string;
export const PACKED_SERVICE: string;
