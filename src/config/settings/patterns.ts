// Shapes that several settings share.

export const URL_PATTERN = /^https?:\/\/[^\s]+$/;
export const SOCKET_PATTERN = /^wss?:\/\/[^\s]+$/;
export const POSTGRES_PATTERN = /^postgres(ql)?:\/\/[^\s]+$/;
export const SEGMENT_PATTERN = /^(?!crypto$)[a-z0-9_-]{1,32}$/;
export const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;
export const HEX_KEY_PATTERN = /^0x[0-9a-fA-F]{64}$/;
