// Renders the OpenAPI document and lets readers try calls. Text is always set as textContent.

const response = await fetch('/openapi.json');
const spec = await response.json();
const contents = document.getElementById('contents');
const operations = document.getElementById('operations');
// Collapsed on phones, where the list would fill more than the screen.
contents.open = !matchMedia('(max-width: 860px)').matches;
document.getElementById('summary').textContent = `${spec.info.summary} API version ${spec.info.version}.`;

const keyField = document.getElementById('key');
// The dashboard stores the reader's key for this tab.
keyField.value = sessionStorage.getItem('tallycast-key') ?? '';

for (const tag of spec.tags) {
  const routes = listRoutes(tag.name);
  if (routes.length === 0) continue;
  contents.append(element('h2', tag.name));
  for (const route of routes) show(route);
}

/** Groups operations: those that differ only in the account become one entry with a choice of paths. */
function listRoutes(tag) {
  const byName = new Map();
  for (const [path, methods] of Object.entries(spec.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.tags.includes(tag)) continue;
      const [name, account] = operation.operationId.split(/_(.*)/s);
      const route = byName.get(name) ?? { name, method, operation, account, paths: [] };
      route.paths.push(path);
      byName.set(name, route);
    }
  }
  return [...byName.values()];
}

function titleOf({ paths, account }) {
  return account ? paths[0].replace(`/${account}`, '/{account}') : paths[0];
}

function wordsOf(text, { account }) {
  return account ? text.replaceAll(account, 'the account') : text;
}

function show(route) {
  const { name, method, operation } = route;
  const title = titleOf(route);
  const link = element('a', `${method.toUpperCase()} ${title.replace('/api/v1', '')}`);
  link.href = `#${name}`;
  contents.append(link);

  const section = element('section', '', 'panel');
  section.id = name;
  const heading = element('h2');
  heading.append(
    element('span', method.toUpperCase(), 'method'),
    title,
    element('span', tierOf(operation), 'tag tier'),
  );
  section.append(heading, element('p', wordsOf(operation.summary, route)));
  if (operation.description) section.append(element('p', wordsOf(operation.description, route), 'fine'));
  if (operation.parameters) section.append(parameterTable(operation.parameters));
  if (operation.requestBody) section.append(details('Request body', describeBody(operation)));
  section.append(answers(operation.responses), examples(route), tryForm(route));
  operations.append(section);
}

function describeBody({ requestBody }) {
  return JSON.stringify(expand(requestBody.content['application/json'].schema), null, 2);
}

function tierOf(operation) {
  const open = operation.security.some((need) => Object.keys(need).length === 0);
  const paid = operation.security.some((need) => 'x402' in need);
  if (open) return paid ? 'public, more with PRO' : 'public';
  return paid ? 'PRO' : 'INTERNAL';
}

function parameterTable(parameters) {
  const table = element('table', '', 'table');
  const isExplained = parameters.some(({ description }) => description);
  table.append(row('th', ['Parameter', 'Rules', ...(isExplained ? ['Meaning'] : [])]));
  for (const { name, schema, required, description } of parameters) {
    const rules = ['minimum', 'maximum', 'default', 'enum']
      .filter((rule) => schema[rule] !== undefined)
      .map((rule) => `${rule} ${[schema[rule]].flat().join(', ')}`);
    table.append(
      row('td', [
        name,
        [schema.type ?? 'choice', required ? 'required' : 'optional', ...rules].join('; '),
        ...(isExplained ? [description ?? ''] : []),
      ]),
    );
  }
  return table;
}

function answers(responses) {
  const box = element('div');
  for (const [status, answer] of Object.entries(responses)) {
    const content = Object.values(answer.content ?? {})[0];
    const schema = content ? JSON.stringify(expand(content.schema), null, 2) : 'no body';
    box.append(details(`${status}: ${answer.description}`, schema));
  }
  return details('Responses', box);
}

/** The same call with curl and both clients; required parameters have example values. */
function examples(route) {
  const { method, operation, paths, account } = route;
  const verb = method.toUpperCase();
  const [path] = paths;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const given = (operation.parameters ?? []).filter(
    ({ name, required }) => required && !inPath.includes(name),
  );
  const query = Object.fromEntries(given.map(({ name, schema }) => [name, exampleOf(name, schema)]));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => exampleOf(name, {}));
  const body = operation.requestBody ? exampleBody(operation.requestBody) : null;
  const names = Object.fromEntries(inPath.map((name) => [name, exampleOf(name, {})]));
  const inTemplate = account ? { account, ...names } : names;
  const search = given.length > 0 ? `?${new URLSearchParams(query)}` : '';
  const box = element('div');
  for (const [language, text] of [
    ['curl', curlExample(verb, `${location.origin}${filled}${search}`, body)],
    ['JavaScript (@tallycast/client)', jsExample(`${verb} ${titleOf(route).replace('/api/v1', '')}`, { path: inTemplate, query, body })],
    ['Python (tallycast)', pythonExample(verb, filled, query, body)],
  ]) {
    box.append(element('h3', language), scrollable(text));
  }
  return details('Examples', box);
}

function curlExample(verb, url, body) {
  const data = body ? ` \\\n  -H 'content-type: application/json' -d '${JSON.stringify(body)}'` : '';
  return `curl ${verb === 'GET' ? '' : `-X ${verb} `}-H "X-API-Key: $TALLYCAST_KEY" \\\n  '${url}'${data}`;
}

function jsExample(name, request) {
  const parts = Object.entries(request).filter(([, part]) => part && Object.keys(part).length > 0);
  return [
    "import { createTallycast } from '@tallycast/client';",
    '',
    `const tallycast = createTallycast({ url: '${location.origin}', apiKey: process.env.TALLYCAST_KEY });`,
    `const answer = await tallycast.call('${name}', ${JSON.stringify(Object.fromEntries(parts), null, 2)});`,
  ].join('\n');
}

function pythonExample(verb, path, query, body) {
  const parts = [
    `"${verb}", "${path}"`,
    ...(Object.keys(query).length > 0 ? [`query=${toPython(query)}`] : []),
    ...(body ? [`body=${toPython(body)}`] : []),
  ];
  return [
    'import os',
    'from tallycast import Tallycast',
    '',
    `with Tallycast("${location.origin}", os.environ["TALLYCAST_KEY"]) as client:`,
    `    answer = client.request(${parts.join(', ')})`,
  ].join('\n');
}

function toPython(value) {
  return JSON.stringify(value)
    .replaceAll(/\btrue\b/g, 'True')
    .replaceAll(/\bfalse\b/g, 'False')
    .replaceAll(/\bnull\b/g, 'None');
}

function exampleOf(name, schema) {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (name === 'wallet') return `0x${'0'.repeat(39)}1`;
  if (name.endsWith('_id') || name.endsWith('_ts')) return 1001;
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1000, schema.minimum ?? 0);
  return schema.type === 'boolean' ? true : schema.type === 'array' ? [] : `${name.toUpperCase()}`;
}

function exampleBody({ content }) {
  const schema = resolve(content['application/json'].schema);
  const needed = (schema.required ?? []).map((name) => [
    name,
    exampleOf(name, resolve(schema.properties[name])),
  ]);
  return Object.fromEntries(needed);
}

function resolve(schema) {
  return schema.$ref ? spec.components.schemas[schema.$ref.split('/').pop()] : schema;
}

function tryForm({ method, operation, paths }) {
  const form = element('form');
  if (paths.length > 1) form.append(pathChoice(paths));
  const inPath = [...paths[0].matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const inQuery = (operation.parameters ?? []).map(({ name }) => name);
  for (const name of new Set([...inPath, ...inQuery])) form.append(field(name, element('input')));
  if (operation.requestBody) form.append(field('body', element('textarea', '{}')));
  form.append(element('button', 'Try it', 'button'));
  const result = scrollable('');
  result.hidden = true;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { path = paths[0], body, ...values } = Object.fromEntries(new FormData(form));
    const answer = await send(method, fill(path, inPath, values), body);
    result.hidden = false;
    result.textContent = `${answer.status}\n${pretty(await answer.text())}`;
  });
  const box = element('div');
  box.append(form, result);
  return box;
}

function pathChoice(paths) {
  const select = element('select');
  for (const path of paths) select.append(element('option', path));
  return field('path', select);
}

function field(name, input) {
  const label = element('label', '', 'field');
  input.name = name;
  label.append(element('span', name), input);
  return label;
}

/** Puts path parameters into the path and all other given values into the query. */
function fill(path, inPath, values) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const rest = Object.entries(values).filter(([name, value]) => value !== '' && !inPath.includes(name));
  return `${filled}?${new URLSearchParams(rest)}`;
}

function send(method, url, body) {
  const key = keyField.value;
  return fetch(url, {
    method: method.toUpperCase(),
    headers: {
      ...(key && { 'X-API-Key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Expands a schema into an example of its shape. */
function expand(schema, depth = 0) {
  if (schema.$ref) return expand(spec.components.schemas[schema.$ref.split('/').pop()], depth);
  if (schema.anyOf)
    return schema.anyOf
      .map((option) => (option.type === 'null' ? 'null' : expand(option, depth + 1)))
      .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
      .join(' | ');
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.type === 'array') return [expand(schema.items, depth + 1)];
  if (schema.type === 'object' && schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, own]) => [name, expand(own, depth + 1)]),
    );
  }
  return schema.type ?? 'any';
}

function details(title, content) {
  const box = element('details');
  box.append(element('summary', title));
  box.append(typeof content === 'string' ? scrollable(content) : content);
  return box;
}

/** Focusable, so that keyboard users can scroll it when it is wider than the page. */
function scrollable(text) {
  const block = element('pre', text);
  block.tabIndex = 0;
  return block;
}

function row(kind, cells) {
  const line = element('tr');
  for (const cell of cells) line.append(element(kind, cell));
  return line;
}

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}
