declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  const httpEce: {
    decrypt(body: Buffer, options: { version: string; privateKey: ECDH; authSecret: string }): Buffer;
  };
  export default httpEce;
}
