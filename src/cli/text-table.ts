// Plain-text tables: columns as wide as their widest cell, numbers right-aligned.

export type Cell = string | number | null | undefined;

export function formatTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map(toText));
  const isNumeric = header.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] !== 'string'));
  const widths = header.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, i) => (isNumeric[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [header, ...cells].map((row) => `${line(row)}\n`).join('');
}

function toText(cell: Cell): string {
  return cell === null || cell === undefined ? '-' : toPrintable(String(cell));
}

/** Puts untrusted text on one line and strips control characters. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Strips control characters but keeps line breaks. */
export function toPrintableText(text: string): string {
  return text.split('\n').map(toPrintable).join('\n');
}

export function formatShare(share: number | null | undefined): string | null {
  return share === null || share === undefined ? null : `${(share * 100).toFixed(1)}%`;
}

export function formatUsd(amount: number | null | undefined): string | null {
  return amount === null || amount === undefined ? null : amount.toFixed(2);
}

/** 1 d 4 h, 3 h 12 min, 45 s */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${whole} s`;
}
