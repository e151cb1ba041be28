// How the service's process is started, in one place: npm start, the container and the units all come through here.
// Plain JavaScript on purpose: it is read by whatever Node the machine has.

/**
 * A small young generation: a request leaves little behind, and larger ones were no faster. Code is not kept small
 * (--optimize-for-size): that cost every request CPU; memory is given back by collections after the start instead.
 */
export const SERVICE_FLAGS = ['--expose-gc', '--max-semi-space-size=2'];

/**
 * Under a mixed load the heap grew to four times what lives in it; where it may not pass 2 GB at all, V8 lets it grow to less
 * than twice. Several hundred accounts fit. The operator's own NODE_OPTIONS come after it, and win.
 */
export const SERVICE_NODE_OPTIONS = '--max-old-space-size=1536';

/**
 * One arena, and large blocks given back: the allocator would raise its threshold after the first large block is
 * freed, and the start's temporary buffers would stay resident. Above 64 KB, so that buffers of sockets are reused.
 */
export const SERVICE_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '98304',
  MALLOC_TRIM_THRESHOLD_: '98304',
};

/** Relative to the package. */
export const COMPILE_CACHE = 'node_modules/.cache/compile';

/** Relative to the package: the modules of a start, joined (join-service.mjs), for each state of the sources. */
export const JOINED_SERVICE = 'node_modules/.cache/service';

/** Relative to the package: the same in a packed package, which has no sources. */
export const PACKED_SERVICE = 'dist';
