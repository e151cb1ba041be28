// Builds, checks and measures the published packages.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab packages [FOLDER]

Build the JavaScript and Python clients into packages/dist or FOLDER, check them (publint, are-the-types-wrong, mypy, tests,
one version for all) and print their sizes.

examples:
  npx tallycast lab packages
  npm install packages/dist/tallycast-client-*.tgz
  pip install packages/dist/tallycast-*.whl`;

export const run = runProgram('scripts/packages.ts');
