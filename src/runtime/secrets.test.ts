import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { errorMessage, errorStack } from './errors.ts';
import { redact, rememberSecrets, secretsInUrl } from './secrets.ts';

describe('redaction by value', () => {
  it('hides a key wherever an error message quotes it', () => {
    rememberSecrets(['https://node.example/v2/K3yK3yK3yK3yK3yK3y', 'tokentokentoken']);
    for (const text of [
      'HTTP request failed. URL: https://node.example/v2/K3yK3yK3yK3yK3yK3y Details: fetch failed',
      'GET /v2/K3yK3yK3yK3yK3yK3y/eth_call',
      'authorization: Bearer tokentokentoken',
      'https%3A%2F%2Fnode.example%2Fv2%2FK3yK3yK3yK3yK3yK3y',
    ]) {
      assert.doesNotMatch(redact(text), /K3yK3y|tokentoken/i);
      assert.doesNotMatch(errorMessage(new Error(text)), /K3yK3y|tokentoken/i);
      assert.doesNotMatch(errorStack(new Error(text)), /K3yK3y|tokentoken/i);
    }
    assert.equal(redact('fetch failed at node.example'), 'fetch failed at node.example');
  });

  it('hides a password in every encoding, but leaves host and database readable', () => {
    rememberSecrets(['postgres://tally:p%40ss%2Fw0rd@db.example:5432/tallycast']);
    const shown = redact('postgres://tally:p%40ss%2Fw0rd@db.example refused p@ss/w0rd for tallycast');
    assert.doesNotMatch(shown, /w0rd/);
    assert.match(shown, /db\.example .* tallycast$/);
  });

  it('finds the password in an otherwise public address', () => {
    rememberSecrets(secretsInUrl('https://reader:oraclepass@oracle.example/api'));
    assert.doesNotMatch(redact('https://reader:oraclepass@oracle.example/api/users gave 500'), /oraclepass/);
    assert.deepEqual(secretsInUrl('https://oracle.example/api'), []);
  });

  it('hides any secret in any text: plain, in JSON and in a URL', () => {
    const secrets = fc.string({ minLength: 6, maxLength: 40 });
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
        rememberSecrets([secret]);
        for (const written of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
          assert.ok(!redact(`${before}${written}${after}`).includes(written));
        }
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});
