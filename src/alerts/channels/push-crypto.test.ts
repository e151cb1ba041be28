import assert from 'node:assert/strict';
import { createECDH, createPublicKey, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { encryptForBrowser, generatePushKeys, signPush, toJwk } from './push.ts';

const BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const NOW_MS = Date.UTC(2026, 10, 17);

describe('a push', () => {
  it('is encrypted as in the example of RFC 8291', () => {
    const sender = createECDH('prime256v1');
    sender.setPrivateKey(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'));
    const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
    const text = Buffer.from('When I grow up, I want to be a watermelon');
    assert.equal(
      encryptForBrowser(BROWSER, text, { sender, salt }).toString('base64url'),
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK' +
        '6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    );
  });

  it('differs each time for the same text', () => {
    const [first, second] = [0, 1].map(() => encryptForBrowser(BROWSER, Buffer.from('same')).toString('hex'));
    assert.notEqual(first, second);
  });

  it('names the field of a malformed subscription', () => {
    for (const field of ['p256dh', 'auth'])
      assert.throws(
        () => encryptForBrowser({ ...BROWSER, [field]: 'AAAA' }, Buffer.from('')),
        new RegExp(field),
      );
  });

  it('is signed for the origin of the push service, for twelve hours', () => {
    const keys = generatePushKeys();
    const header = signPush(keys, 'https://push.example/send/1?x=2', 'mailto:me@example.com', NOW_MS);
    const [, signed, signature, key] = /^vapid t=(.+\..+)\.(.+), k=(.+)$/.exec(header)!;
    assert.equal(key, keys.publicKey);
    const claims = JSON.parse(Buffer.from(signed!.split('.')[1]!, 'base64url').toString());
    assert.deepEqual(claims, {
      aud: 'https://push.example',
      exp: NOW_MS / 1000 + 12 * 3600,
      sub: 'mailto:me@example.com',
    });
    const publicKey = createPublicKey({ format: 'jwk', key: toJwk(key!) });
    const judged = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
    assert.ok(verify('sha256', Buffer.from(signed!), judged, Buffer.from(signature!, 'base64url')));
  });
});
