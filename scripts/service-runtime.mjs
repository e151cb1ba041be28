// Flags and environment of the service's process, for npm start, the container and the systemd units. Plain
// JavaScript, so that any Node version can load it.

/**
 * A small young generation, because a request leaves little garbage. With 2 MB, collections delayed responses
 * while the past was read.
 * --optimize-for-size is not used, because it cost CPU on every request; collections after startup return
 * memory instead.
 */
export const SERVICE_FLAGS = ['--expose-gc', '--max-semi-space-size=4'];

/**
 * Feeds of many accounts leave garbage all the time: with 4 MB, collecting it took a quarter of the CPU, and with
 * 16 MB and 1,000 accounts 15%.
 */
const INGEST_FLAGS = ['--expose-gc', '--max-semi-space-size=48'];

export function findServiceFlags(args, env) {
  const role = /(?:^| )--role[= ](\w+)/.exec(args.join(' '))?.[1] ?? env.ROLE;
  return role === 'ingest' ? INGEST_FLAGS : SERVICE_FLAGS;
}

/**
 * Under mixed load the heap grew to four times its live size; this limit keeps it below twice, and still
 * fits several hundred accounts. The operator's own NODE_OPTIONS come later and take precedence.
 */
export const SERVICE_NODE_OPTIONS = '--max-old-space-size=1536';

/**
 * Use one arena and return large blocks to the system: by default the allocator raises its threshold after
 * the first large block is freed, and temporary startup buffers would stay resident. The threshold is above
 * 64 KB, so that socket buffers are reused.
 */
export const SERVICE_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '98304',
  MALLOC_TRIM_THRESHOLD_: '98304',
};

/** Relative to the package. */
export const COMPILE_CACHE = 'node_modules/.cache/compile';

/** Relative to the package: the bundled modules (join-service.mjs), one folder per version of the sources. */
export const JOINED_SERVICE = 'node_modules/.cache/service';

/** Relative to the package: the bundled modules in a packed package, which has no sources. */
export const PACKED_SERVICE = 'dist';
