// The packages that are published: built, checked, measured.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab packages [FOLDER]

Builds the clients for JavaScript and Python as they are published, into packages/dist or FOLDER, checks them
(publint, are-the-types-wrong, mypy, their own tests, one version for all) and prints their sizes.

examples:
  npx tallycast lab packages
  npm install packages/dist/tallycast-client-*.tgz
  pip install packages/dist/tallycast-*.whl`;

export const run = runProgram('scripts/packages.ts');
