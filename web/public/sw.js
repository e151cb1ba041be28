// Shows a notice that was pushed, and opens its moment when it is pressed. Nothing is kept and nothing is fetched:
// numbers from a cache would be old ones.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const notice = read(event.data);
  // The tag is the notice's id: told twice, it replaces itself and stays one.
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
    // A push without words must be shown all the same, or the browser takes the permission back.
  }
  return { title: 'Tallycast', text: 'Something happened: open the page to see what.', notice_id: 'unknown' };
}

/** Only the moment is taken from the link; the page is this one, whatever address the service is known by. */
async function open(link) {
  const hash = /#\/[\w\-/%.]*$/.exec(link ?? '')?.[0] ?? '#/live';
  const url = `${self.location.origin}/${hash}`;
  const [known] = await self.clients.matchAll({ type: 'window' });
  if (!known) return self.clients.openWindow(url);
  const there = await known.navigate(url);
  return there?.focus();
}
