// Runs build and check programs: silent on success, full output on failure.

import { execFile } from 'node:child_process';

export interface RunOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: RunOptions = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else reject(new Error(`${program} ${args.join(' ')} failed (${error.code}):\n${stdout}${stderr}`));
    });
  });
}
