// The setup page. Text is always set as textContent, and the session is held only in this module.

const find = (id) => document.getElementById(id);
const PROGRESS_MS = 1000;
const STARTING = 'Starting on live sources …';
const VERDICTS = { ok: 'works', warning: 'degraded', problem: 'does not work' };
let session = '';

async function post(path, body = {}) {
  const headers = { 'content-type': 'application/json', 'x-setup-session': session };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.problem);
  return answer;
}

/** Reports beside the button that started the work. */
async function attempt(place, words, work) {
  const say = (text) => {
    find(place).textContent = text;
  };
  say(words);
  try {
    say((await work()) ?? '');
  } catch (error) {
    say(error.message);
  }
}

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function show({ presets, credentials }) {
  for (const { name, handle, summary, isChosen } of presets) {
    const label = element('label', '', 'check');
    const box = Object.assign(document.createElement('input'), {
      type: 'checkbox',
      name: 'account',
      value: name,
      checked: isChosen,
    });
    label.append(box, element('strong', handle), element('span', summary, 'fine'));
    find('accounts').append(label);
  }
  for (const { name, label: words, use, isSet } of credentials) {
    const label = element('label', '', 'field');
    const input = Object.assign(document.createElement('input'), {
      type: 'password',
      name,
      autocomplete: 'off',
      placeholder: isSet ? 'set' : '',
    });
    label.append(element('span', words), input, element('small', use, 'fine'));
    find('credentials').append(label);
  }
  find('form').hidden = false;
}

function readDraft() {
  const accounts = [...document.querySelectorAll('[name=account]:checked')].map(({ value }) => value);
  const inputs = [...document.querySelectorAll('#credentials input')];
  return { accounts, credentials: Object.fromEntries(inputs.map(({ name, value }) => [name, value])) };
}

function showFindings({ findings, costUsdPerMonth }) {
  const rows = findings.map(({ subject, verdict, message, advice }) => {
    const row = element('tr');
    row.dataset.verdict = verdict;
    const name = element('th', subject);
    name.scope = 'row';
    const details = advice ? `${message}. ${advice}` : message;
    row.append(name, element('td', VERDICTS[verdict], 'text'), element('td', details, 'text'));
    return row;
  });
  find('findings').tBodies[0].replaceChildren(...rows);
  find('findings').hidden = false;
  const failed = findings.filter(({ verdict }) => verdict === 'problem');
  warn(failed);
  const cost = costUsdPerMonth > 0 ? `About $${costUsdPerMonth.toFixed(2)} a month.` : 'Free.';
  const result =
    failed.length === 0 ? 'Everything works.' : `${failed.length} of ${findings.length} checks failed.`;
  return `${result} ${cost}`;
}

/** Going live after failures is allowed, but says what will not work. */
function warn(failed) {
  const list = element('ul');
  list.append(...failed.map(({ subject, message }) => element('li', `${subject}: ${message}`)));
  find('missing').replaceChildren(element('strong', 'These will not work until they are fixed:'), list);
  find('missing').hidden = failed.length === 0;
  find('live').textContent = failed.length === 0 ? 'Go live' : 'Go live without them';
}

async function follow() {
  const { state, problem, url, key } = await post('/progress');
  if (state === 'starting') {
    setTimeout(() => attempt('live-result', STARTING, follow), PROGRESS_MS);
    return STARTING;
  }
  if (state !== 'live') throw new Error(problem);
  find('form').hidden = true;
  find('done').hidden = false;
  find('key').textContent = key;
  find('dashboard').href = `${url}/`;
  find('alerts').href = `${url}/#/alerts`;
  find('status').textContent = 'Setup complete.';
}

find('check').addEventListener('click', () =>
  attempt('check-result', 'Checking …', async () => showFindings(await post('/check', readDraft()))),
);
find('form').addEventListener('input', () => {
  // What was checked is no longer what would go live.
  find('check-result').textContent = '';
  find('findings').hidden = true;
  warn([]);
});
find('form').addEventListener('submit', (event) => {
  event.preventDefault();
  attempt('live-result', STARTING, async () => {
    await post('/live', readDraft());
    return follow();
  });
});

await attempt('status', 'Opening …', async () => {
  const token = location.hash.slice(1);
  // The token is used up; remove it from the address bar and the history.
  history.replaceState(null, '', '/setup');
  ({ session } = await post('/open', { token }));
  show(await post('/state'));
  return 'Four steps; the demonstration keeps running until you go live.';
});
