// Shows the interface document and lets a reader try its calls. Text is only ever set as text.

const response = await fetch('/openapi.json');
const spec = await response.json();
const contents = document.getElementById('contents');
const operations = document.getElementById('operations');
document.getElementById('summary').textContent = `${spec.info.summary} Version ${spec.info.version}.`;

for (const tag of spec.tags) {
  contents.append(element('h2', tag.name));
  for (const [path, methods] of Object.entries(spec.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.tags.includes(tag.name)) show(path, method, operation);
    }
  }
}

function show(path, method, operation) {
  const link = element('a', `${method.toUpperCase()} ${path.replace('/api/v1', '')}`);
  link.href = `#${operation.operationId}`;
  contents.append(link);

  const section = element('section');
  section.id = operation.operationId;
  const title = element('h2');
  title.append(
    element('span', method.toUpperCase(), 'method'),
    path,
    element('span', tierOf(operation), 'tier'),
  );
  section.append(title, element('p', operation.summary));
  if (operation.description) section.append(element('p', operation.description));
  if (operation.parameters) section.append(parameterTable(operation.parameters));
  if (operation.requestBody) {
    const schema = operation.requestBody.content['application/json'].schema;
    section.append(details('Request body', JSON.stringify(expand(schema), null, 2)));
  }
  section.append(answers(operation.responses));
  if (method === 'get') section.append(tryForm(path, operation.parameters ?? []));
  operations.append(section);
}

function tierOf(operation) {
  const open = operation.security.some((need) => Object.keys(need).length === 0);
  const paid = operation.security.some((need) => 'x402' in need);
  if (open) return paid ? 'public, more with PRO' : 'public';
  return paid ? 'PRO' : 'INTERNAL';
}

function parameterTable(parameters) {
  const table = element('table');
  table.append(row('th', ['Parameter', 'Type', 'Rules', '']));
  for (const { name, schema, required, description } of parameters) {
    const rules = ['minimum', 'maximum', 'default', 'enum']
      .filter((rule) => schema[rule] !== undefined)
      .map((rule) => `${rule} ${[schema[rule]].flat().join(', ')}`);
    table.append(
      row('td', [
        name,
        schema.type ?? 'choice',
        [required ? 'required' : 'optional', ...rules].join('; '),
        description ?? '',
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
  return details('Answers', box);
}

function tryForm(path, parameters) {
  const form = element('form');
  for (const { name } of parameters) {
    const label = element('label', name);
    const input = element('input');
    input.name = name;
    label.append(input);
    form.append(label);
  }
  const result = element('pre');
  result.hidden = true;
  form.append(element('button', 'Try it'));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
    const key = document.getElementById('key').value;
    const answer = await fetch(`${path}?${query}`, { headers: key ? { 'X-API-Key': key } : {} });
    result.hidden = false;
    result.textContent = `${answer.status}\n${pretty(await answer.text())}`;
  });
  const box = element('div');
  box.append(form, result);
  return box;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A schema as an example of its shape. */
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
  box.append(typeof content === 'string' ? element('pre', content) : content);
  return box;
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
