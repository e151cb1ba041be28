// The only file that reads the process environment.

export function readEnvironment(): Record<string, string | undefined> {
  return process.env;
}
