// Folders that setup fills and bin/tallycast.mjs reads. Plain JavaScript, so that any Node version can load it.

/** Relative to the package. */
export const COMPILE_CACHE = 'node_modules/.cache/compile';

/** Relative to the package: the bundled modules (join-service.mjs), one folder per version of the sources. */
export const JOINED_SERVICE = 'node_modules/.cache/service';

/** Relative to the package: the bundled modules in a packed package, which has no sources. */
export const PACKED_SERVICE = 'dist';
