// Checks the list behind npx tallycast lab cures; the command itself reverts each fix.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CURES } from './cures.ts';

describe('every fix', () => {
  for (const { of, file, cure, test, name } of CURES) {
    it(`occurs once, with its test: ${of}`, () => {
      assert.equal(readFileSync(file, 'utf8').split(cure).length, 2, `${cure} in ${file}`);
      const written = readFileSync(test, 'utf8').replaceAll(/\$\{jumpMs\}/g, '3600001');
      assert.ok(written.includes(name), `${name} in ${test}`);
    });
  }
});
