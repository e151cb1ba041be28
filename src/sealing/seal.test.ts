import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildTree, findPath, hashLeaf, rootOf } from './seal.ts';

/** Inputs and roots from the RFC 6962 reference implementation. */
const INPUTS = ['', '\x00', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];
const ROOTS: Record<number, string> = {
  0: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  1: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  2: 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  3: 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  5: '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  7: 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  8: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
};

describe('hourly Merkle tree', () => {
  const leaves = INPUTS.map(hashLeaf);

  for (const [size, root] of Object.entries(ROOTS)) {
    it(`matches the reference root for ${size} leaves`, () => {
      assert.equal(rootOf(buildTree(leaves.slice(0, Number(size)))), root);
    });
  }

  it('returns a proof with one hash per tree level', () => {
    assert.deepEqual(
      leaves.map((_, index) => findPath(buildTree(leaves), index).length),
      new Array(8).fill(3),
    );
    assert.deepEqual(findPath(buildTree(leaves.slice(0, 1)), 0), []);
    assert.deepEqual(findPath(buildTree(leaves.slice(0, 5)), 4), [rootOf(buildTree(leaves.slice(0, 4)))]);
  });
});
