// A table cell with a number and its 90% interval below.

interface Props {
  mean: number | null;
  low: number | null;
  high: number | null;
  format: (value: number | null) => string;
}

export function EstimateCell({ mean, low, high, format }: Props) {
  return (
    <td className="num">
      <span className="strong">{format(mean)}</span>
      <span className="estimate-range">{low === null ? '–' : `${format(low)} to ${format(high)}`}</span>
    </td>
  );
}
