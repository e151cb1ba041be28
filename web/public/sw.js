// Shows pushed alerts and opens the linked page on click. It caches nothing, because cached numbers would be
// out of date.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const notice = read(event.data);
  // The tag is the alert's id, so a repeated push replaces the first one.
  const shown = { body: notice.text, tag: notice.notice_id, data: { link: notice.link }, icon: '/favicon.svg' };
  event.waitUntil(self.registration.showNotification(notice.title, shown));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.link));
});

function read(data) {
  try {
    const notice = data.json();
    if (typeof notice?.title === 'string') return notice;
  } catch {
    // Browsers revoke the permission if a push shows nothing.
  }
  return { title: 'Tallycast', text: 'New alert. Open the page for details.', notice_id: 'unknown' };
}

/** Uses only the link's hash, because this browser may reach the service at another address. */
async function open(link) {
  const hash = /#\/[\w\-/%.]*$/.exec(link ?? '')?.[0] ?? '#/live';
  const url = `${self.location.origin}/${hash}`;
  const [known] = await self.clients.matchAll({ type: 'window' });
  if (!known) return self.clients.openWindow(url);
  const there = await known.navigate(url);
  return there?.focus();
}
