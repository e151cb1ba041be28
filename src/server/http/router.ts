// Maps paths to routes by exact match, without decoding, case folding, trailing slashes or dot segments, so
// that no alternative spelling can bypass a route's access rules.

import { type BodyReader, createBodyReader, createQueryReader, type QueryReader } from './query-reader.ts';
import type { Route } from './route.ts';

export interface RoutedMethod {
  readonly route: Route;
  /** Index used by usage and metrics. */
  readonly index: number;
  readonly readQuery: QueryReader | null;
  readonly readBody: BodyReader | null;
}

export interface RoutedPath {
  readonly methods: ReadonlyMap<string, RoutedMethod>;
  readonly allow: string;
  readonly isSameOriginOnly: boolean;
  readonly pattern: string;
}

export interface Router {
  readonly routed: readonly RoutedMethod[];
  find(path: string): RoutedPath | undefined;
  /** Whether a GET of this URL can be served from its head alone. */
  isPlain(url: string): boolean;
  /** Values of the {names} in a path that `find` has matched. */
  readParams(pattern: string, path: string): Record<string, string>;
}

const SEGMENT_VALUE = /^[A-Za-z0-9_-]{1,128}$/;

export function createRouter(routes: readonly Route[]): Router {
  const routed = routes.map(prepareRoute);
  const exact = new Map<string, RoutedPath>();
  const patterns: { segments: string[]; entry: RoutedPath }[] = [];
  for (const [path, methods] of groupByPath(routed)) {
    const isSameOriginOnly = [...methods.values()].some(({ route }) => route.isSameOriginOnly);
    const entry = { methods, allow: [...methods.keys()].join(', '), isSameOriginOnly, pattern: path };
    if (path.includes('{')) patterns.push({ segments: path.split('/'), entry });
    else exact.set(path, entry);
  }

  function find(path: string): RoutedPath | undefined {
    const entry = exact.get(path);
    if (entry || patterns.length === 0) return entry;
    const segments = path.split('/');
    return patterns.find((candidate) => isMatch(candidate.segments, segments))?.entry;
  }

  return {
    routed,
    find,
    isPlain(url) {
      const route = find(pathOf(url))?.methods.get('GET')?.route;
      return route !== undefined && route.body === null && route.takeOver === null && route.stream === null;
    },
    readParams(pattern, path) {
      const values = path.split('/');
      const params: Record<string, string> = {};
      pattern.split('/').forEach((segment, i) => {
        if (segment.startsWith('{')) params[segment.slice(1, -1)] = values[i]!;
      });
      return params;
    },
  };
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

function prepareRoute(route: Route, index: number): RoutedMethod {
  return {
    route,
    index,
    readQuery: route.query ? createQueryReader(route.query) : null,
    readBody: route.body ? createBodyReader(route.body) : null,
  };
}

function groupByPath(routed: readonly RoutedMethod[]): Map<string, Map<string, RoutedMethod>> {
  const paths = new Map<string, Map<string, RoutedMethod>>();
  for (const entry of routed) {
    const methods = paths.get(entry.route.path) ?? new Map<string, RoutedMethod>();
    methods.set(entry.route.method, entry);
    paths.set(entry.route.path, methods);
  }
  return paths;
}

function isMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) =>
      part.startsWith('{') ? SEGMENT_VALUE.test(segments[i]!) : part === segments[i],
    )
  );
}
