export interface Verification {
  /** About the record, about single hours, about single entries, or none because of problems. */
  answer: 'intact' | 'complete' | 'proven' | 'broken';
  problems: string[];
  hours: number;
  revealed: number;
  hidden: number;
  /** Numbers of the entries without text, one line per hour. */
  withheld: string[];
  proven: string[];
  /** Chain hash of the last hour; null without hours. */
  newest: string | null;
}
export interface Verifier {
  /** Returns false once there are so many problems that nothing more is checked. */
  add(document: unknown): boolean;
  finish(known?: readonly string[]): Verification;
}
export function createVerifier(): Verifier;
export function verifySeals(
  chunks: Iterable<string> | AsyncIterable<string>,
  known?: readonly string[],
): Promise<Verification>;
export function verifyFile(path: string, known?: readonly string[]): Promise<Verification>;
export function describeResult(result: Verification): string[];
