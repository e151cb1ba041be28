// Follows the public stream with the browser's own EventSource, without a library or a build.
//
// Serve this folder (npx http-server examples/browser, or python3 -m http.server) and open it; any origin may
// call the service. EventSource sends no headers: to use a key, read the stream with fetch or with
// @tallycast/client.

const rows = new Map();
let source = null;

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const { url, account } = Object.fromEntries(new FormData(event.target));
  follow(url, account);
});

function follow(url, account) {
  source?.close();
  // The browser reconnects automatically and sends the id of the last message.
  source = new EventSource(`${url}/api/v1/stream/${encodeURIComponent(account)}`);
  source.onopen = () => say('connected');
  source.onerror = () => say('connection lost, reconnecting');
  listen('snapshot', ({ meta, posts }) => {
    document.querySelector('#events').replaceChildren();
    document.querySelector('#posts').replaceChildren();
    rows.clear();
    meta.forEach(showCounters);
    posts.toReversed().forEach(showPost);
  });
  listen('counters', showCounters);
  listen('post', showPost);
}

function listen(name, handle) {
  source.addEventListener(name, (message) => handle(JSON.parse(message.data)));
}

function showCounters(record) {
  const row = rows.get(record.event_id) ?? document.querySelector('#events').insertRow();
  rows.set(record.event_id, row);
  const { event_title, real_counter, market_oracle_counter, market_ui_counter } = record;
  const cells = [event_title, real_counter, market_oracle_counter, market_ui_counter].map((value) => {
    const cell = document.createElement('td');
    cell.textContent = value ?? '–';
    return cell;
  });
  row.replaceChildren(...cells);
}

function showPost(post) {
  const item = document.createElement('li');
  item.textContent = `${new Date(post.created_ts).toLocaleTimeString()} ${post.text}`;
  document.querySelector('#posts').prepend(item);
}

function say(text) {
  document.querySelector('#state').textContent = text;
}
