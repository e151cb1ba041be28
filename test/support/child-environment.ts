// What a child process is started with, and nothing of the tester's own: the path, and code that was joined and compiled
// before. A second of CPU is spent compiling the program wherever it is not found.

export function childEnvironment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  return {
    PATH,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...(NODE_OPTIONS && { NODE_OPTIONS }),
    ...more,
  };
}
