// The setup page. Text is always set as textContent, and the session is held only in this module.

const find = (id) => document.getElementById(id);
const PROGRESS_MS = 1000;
const VERDICTS = { ok: 'works', warning: 'degraded', problem: 'does not work' };
let session = '';

async function post(path, body = {}) {
  const headers = { 'content-type': 'application/json', 'x-setup-session': session };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.problem);
  return answer;
}

function say(text) {
  find('status').textContent = text;
}

async function attempt(words, work) {
  say(words);
  try {
    await work();
  } catch (error) {
    say(error.message);
  }
}

function element(name, text = '') {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function show({ presets, credentials }) {
  for (const { name, handle, summary, isChosen } of presets) {
    const label = element('label');
    const box = Object.assign(document.createElement('input'), {
      type: 'checkbox',
      name: 'account',
      value: name,
      checked: isChosen,
    });
    label.append(box, ` ${handle} `, element('span', summary));
    find('accounts').append(label);
  }
  for (const { name, label: words, use, isSet } of credentials) {
    const label = element('label', words);
    const input = Object.assign(document.createElement('input'), {
      type: 'password',
      name,
      autocomplete: 'off',
      placeholder: isSet ? 'set' : '',
    });
    label.append(element('span', use), input);
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
    const details = advice ? `${message}. ${advice}` : message;
    row.append(element('td', subject), element('td', VERDICTS[verdict]), element('td', details));
    return row;
  });
  find('findings').tBodies[0].replaceChildren(...rows);
  find('findings').hidden = false;
  find('cost').textContent =
    costUsdPerMonth > 0 ? `About $${costUsdPerMonth.toFixed(2)} a month.` : 'Free.';
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  say(problems === 0 ? 'Everything works.' : `${problems} of ${findings.length} checks failed.`);
}

async function follow() {
  const { state, problem, url, key } = await post('/progress');
  if (state === 'starting') {
    setTimeout(() => attempt('Starting on live sources …', follow), PROGRESS_MS);
    return;
  }
  if (state !== 'live') throw new Error(problem);
  find('form').hidden = true;
  find('done').hidden = false;
  find('key').textContent = key;
  find('dashboard').href = `${url}/`;
  find('alerts').href = `${url}/#/alerts`;
  say('Setup complete.');
}

find('check').addEventListener('click', () =>
  attempt('Checking …', async () => showFindings(await post('/check', readDraft()))),
);
find('form').addEventListener('submit', (event) => {
  event.preventDefault();
  attempt('Starting on live sources …', async () => {
    await post('/live', readDraft());
    await follow();
  });
});

await attempt('Opening …', async () => {
  const token = location.hash.slice(1);
  // The token is used up; remove it from the address bar and the history.
  history.replaceState(null, '', '/setup');
  ({ session } = await post('/open', { token }));
  show(await post('/state'));
  say('');
});
