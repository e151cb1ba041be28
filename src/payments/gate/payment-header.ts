// Request headers that can carry the payment: our own name first, then those of protocol versions 2 and 1.

const HEADER_NAMES = ['x402', 'payment-signature', 'x-payment'] as const;

export function findPaymentHeader(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  for (const name of HEADER_NAMES) {
    const value = headers[name];
    const text = (Array.isArray(value) ? value[0] : value)?.trim();
    if (text) return text;
  }
  return null;
}
