// Registers this browser as an alert channel: asks permission, subscribes with the service's key, and
// installs the worker that shows alerts.

import type { ChannelRecord } from '../../api/records.ts';
import { fetchJson } from '../../api/request.ts';

export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

function registerWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register('/sw.js');
}

/** Asks for permission first; nothing is sent without it. */
export async function subscribeToPush(label: string): Promise<ChannelRecord> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new Error('This browser blocks notifications from this page.');
  await registerWorker();
  const worker = await navigator.serviceWorker.ready;
  const { data } = await fetchJson<{ data: { public_key: string } }>('/push/key');
  const options = { userVisibleOnly: true, applicationServerKey: fromBase64Url(data.public_key) };
  const { endpoint, keys } = (await worker.pushManager.subscribe(options)).toJSON();
  return postJson('/push/subscriptions', { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, label });
}

export async function postJson<T>(path: string, body: object): Promise<T> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  return (await fetchJson<{ data: T }>(path, {}, init)).data;
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
