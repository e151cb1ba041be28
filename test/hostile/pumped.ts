// Texts that cause regular-expression backtracking: a repeated piece followed by an end that does not match.

/** Between tildes. */
const PUMPS: readonly string[] = [
  `<~<a ~<br~</p~<item>~<item ~<![CDATA[~&~&#~&amp~]]>~\n~\r\n~ ~\t~\u00a0~RT:~RT:http://~RT: http://a`,
  `RT @~@a~a@~a.~/12345~/12345?~12345#~0~0_~.0~1,~1,111~-~–~ - ~+~e+~1e~;~; charset~charset=~"~""~'~\\`,
  `\\u~%4~%41~%~[~]~[[~{~{"a":~}~:~::~:1~/~//~W/"~a/b;~gzip;q=0,~q=~,~, ~=~&a=~+=~from ~to ~september `,
  `september 1, ~12:00 ~pm ~tweets ~ posts~k~$~🙂~\ud800~\u202e~tc_pro_~A~a ~aA~_~/start ~1.1.1.1, `,
  `[::1]~=?~\u0000`,
].flatMap((pumps) => pumps.split('~'));
export const ENDS = ['', '!', '\n x'];

export function* pumpedTexts(length: number, ends: readonly string[]): Generator<string> {
  for (const pump of PUMPS) {
    const text = pump.repeat(Math.ceil(length / pump.length)).slice(0, length);
    for (const end of ends) yield text + end;
  }
}

/** Returns the sample with every text replaced. */
export function pumpJson(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((item) => pumpJson(item, text));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pumpJson(inner, text)]));
}

/** Returns the sample with the pumped text in its middle, and the pumped text alone. */
export function pumpText(sample: string, text: string): string[] {
  const middle = Math.floor(sample.length / 2);
  return [text, sample.slice(0, middle) + text + sample.slice(middle)];
}
