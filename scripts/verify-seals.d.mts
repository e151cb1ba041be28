export interface Verification {
  problems: string[];
  seals: number;
  revealed: number;
  hidden: number;
  isFromStart: boolean;
}
export function verifySeals(text: string, known?: readonly string[]): Verification;
export function describeResult(result: Verification): string[];
