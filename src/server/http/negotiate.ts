// Negotiates content type and encoding. Results are cached, because callers send the same headers repeatedly.

export type Encoding = 'identity' | 'gzip' | 'br';

const CACHE_LIMIT = 512;
const encodings = new Map<string, Encoding>();
const acceptances = new Map<string, boolean>();

export function chooseEncoding(acceptEncoding: string): Encoding {
  if (acceptEncoding === '') return 'identity';
  return remembered(encodings, acceptEncoding, () => {
    const weights = parseWeights(acceptEncoding);
    const br = weights.get('br') ?? 0;
    const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
    if (br > 0 && br >= gzip) return 'br';
    return gzip > 0 ? 'gzip' : 'identity';
  });
}

/** Whether an Accept header allows `type`, e.g. application/json. A missing header allows anything. */
export function accepts(accept: string, type: string): boolean {
  if (accept === '' || accept === '*/*') return true;
  return remembered(acceptances, `${type} ${accept}`, () => {
    return weightOf(parseWeights(accept), type) > 0;
  });
}

/** Whether an Accept header prefers `type` to `other`. A missing header prefers neither. */
export function prefers(accept: string, type: string, other: string): boolean {
  const weights = parseWeights(accept);
  return weightOf(weights, type) > weightOf(weights, other);
}

function weightOf(weights: ReadonlyMap<string, number>, type: string): number {
  const [main] = type.split('/');
  return weights.get(type) ?? weights.get(`${main}/*`) ?? weights.get('*/*') ?? 0;
}

function remembered<T>(cache: Map<string, T>, key: string, decide: () => T): T {
  let answer = cache.get(key);
  if (answer === undefined) {
    answer = decide();
    if (cache.size >= CACHE_LIMIT) cache.clear();
    if (key.length < 512) cache.set(key, answer);
  }
  return answer;
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (name === '') continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  return weights;
}
