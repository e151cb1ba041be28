// A key store in memory.

import type { ApiKeyRecord, KeyStore } from '../store/ports.ts';

export function memoryKeys() {
  const records: ApiKeyRecord[] = [];
  const keys: KeyStore = {
    async insert(record) {
      records.push(record);
    },
    findByDigest: async (digest) => records.find((record) => record.digest === digest),
    listByDigests: async (digests) => records.filter(({ digest }) => digests.includes(digest)),
    findById: async (keyId) => records.find((record) => record.keyId === keyId),
    list: async () => records,
    async revoke(keyId, revokedTs) {
      const record = records.find((candidate) => candidate.keyId === keyId && candidate.revokedTs === null);
      if (record) record.revokedTs = revokedTs;
      return record !== undefined;
    },
    async rotate(keyId, newKey, revokedTs) {
      records.find((candidate) => candidate.keyId === keyId)!.revokedTs = revokedTs;
      records.push(newKey);
      return true;
    },
    countRevocations: async () => 0,
    listRevokedDigests: async () => [],
  };
  return { records, keys };
}
