// The dossier of an event that the oracle counted wrong at the close.

import { runProgram } from '../../src/cli/program.ts';

export const usage = `usage: npx tallycast lab dossier [--seed 7]

Start the service on a fast simulator. Its oracle stalls over the close of an event and catches up later. Then print
why the event settled as it did and check the signature. Takes one to three minutes; exits 1 when the signature is wrong
or the event does not settle.

examples:
  npx tallycast lab dossier`;

export const run = runProgram('lab/bench/dossier.ts');
