// How the service's process is started: used by npm start, the container and the units. Plain JavaScript on
// purpose: any Node can read it.

/**
 * A small young generation: a request leaves little garbage, and larger ones were no faster.
 * --optimize-for-size is not used: it cost every request CPU; collections after the start return memory
 * instead.
 */
export const SERVICE_FLAGS = ['--expose-gc', '--max-semi-space-size=2'];

/**
 * Under mixed load the heap grew to four times its live size; with a 2 GB limit V8 keeps it below twice.
 * Several hundred accounts fit. The operator's own NODE_OPTIONS come later and win.
 */
export const SERVICE_NODE_OPTIONS = '--max-old-space-size=1536';

/**
 * One arena, and large blocks returned to the system: by default the allocator raises its threshold after the
 * first large block is freed, and the start's temporary buffers would stay resident. Above 64 KB, so that
 * socket buffers are reused.
 */
export const SERVICE_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '98304',
  MALLOC_TRIM_THRESHOLD_: '98304',
};

/** Relative to the package. */
export const COMPILE_CACHE = 'node_modules/.cache/compile';

/** Relative to the package: the bundled modules (join-service.mjs), per state of the sources. */
export const JOINED_SERVICE = 'node_modules/.cache/service';

/** Relative to the package: the bundled modules in a packed package, which has no sources. */
export const PACKED_SERVICE = 'dist';
