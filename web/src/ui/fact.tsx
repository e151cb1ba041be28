// One labelled value in a list of facts.

interface Props {
  name: string;
  value: string;
  /** Unit or sample size, in small type. */
  remark?: string | null | undefined;
  sign?: string | undefined;
}

export function Fact({ name, value, remark, sign }: Props) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd data-sign={sign}>
        <span className="fact-value num">{value}</span> <span className="fine num">{remark}</span>
      </dd>
    </div>
  );
}
