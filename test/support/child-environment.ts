// Environment for child processes, without the tester's own variables: only the path, and the compile cache,
// which saves a second of CPU per start.

export function childEnvironment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  return {
    PATH,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...(NODE_OPTIONS && { NODE_OPTIONS }),
    ...more,
  };
}
