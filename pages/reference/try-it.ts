import { queryAll } from './query-all.ts';

/** Token that was typed last. It stays in the memory of this page only. */
let accessToken = '';

/** Adds a button to each example that sends its request. Does nothing outside the sandbox. */
export function addTryItButtons(): void {
  if (!document.querySelector('main[data-sandbox]')) return;
  for (const example of queryAll<HTMLElement>('.example')) {
    const operation = example.closest<HTMLElement>('.operation');
    const caption = example.querySelector('.code figcaption');
    if (!operation || !caption) continue;
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Try it' });
    button.setAttribute('aria-label', `Try it: ${caption.firstChild?.textContent ?? ''}`);
    button.setAttribute('aria-expanded', 'false');
    let panel: HTMLElement | undefined;
    button.addEventListener('click', () => {
      if (panel) {
        panel.hidden = !panel.hidden;
      } else {
        panel = requestPanel(operation, example);
        example.querySelector('.code')?.after(panel);
      }
      button.setAttribute('aria-expanded', String(!panel.hidden));
      if (!panel.hidden) panel.querySelector<HTMLElement>('input, textarea')?.focus();
    });
    caption.append(button);
  }
}

/** A form for an example request, with its response below. */
function requestPanel(operation: HTMLElement, example: HTMLElement): HTMLElement {
  const { method = 'GET', path = '', query: names = '' } = operation.dataset;
  const { query, body } = JSON.parse(example.dataset['values'] ?? '{}') as {
    query: Record<string, string | number | boolean>;
    body?: unknown;
  };
  const token = element('input', { type: 'password', autocomplete: 'off', spellcheck: false, required: true });
  token.value = accessToken;
  const parameters = names
    .split(' ')
    .filter(Boolean)
    .map((name) => {
      const value = query[name];
      const input = element('input', { type: 'text', autocomplete: 'off', spellcheck: false });
      input.value = value === undefined ? '' : String(value);
      return { name, input };
    });
  const text = body === undefined ? '' : JSON.stringify(body, null, 2);
  const bodyField = element('textarea', {
    spellcheck: false,
    wrap: 'off',
    rows: Math.min(text.split('\n').length + 1, 16),
  });
  bodyField.value = text;
  const send = element('button', { type: 'submit', className: 'send', textContent: 'Send request' });
  const status = element('p', { className: 'quiet' });
  status.setAttribute('role', 'status');
  const response = element('pre', { hidden: true, tabIndex: 0 });

  const note = element('p', { className: 'quiet' });
  const account = element('a', { href: '/account', target: '_blank', textContent: 'account area' });
  note.append('The request runs in the sandbox. Create an access token in the ', account, ' under Integration.');
  const form = element('form', { className: 'try' });
  form.append(
    note,
    labeled('Access token', token),
    ...parameters.map(({ name, input }) => labeled(name, input)),
    ...(body === undefined ? [] : [labeled('Body', bodyField)]),
    send,
    status,
    response,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    accessToken = token.value.trim();
    const values = parameters.filter(({ input }) => input.value !== '').map(({ name, input }) => [name, input.value]);
    const search = new URLSearchParams(values).toString();
    void sendRequest(path + (search === '' ? '' : `?${search}`), method, body === undefined ? null : bodyField.value);
  });

  async function sendRequest(url: string, method: string, body: string | null): Promise<void> {
    send.disabled = true;
    status.textContent = 'Sending…';
    status.className = 'quiet';
    try {
      const received = await fetch(url, {
        method,
        body,
        // Omits the session cookie of the account area.
        credentials: 'omit',
        headers: {
          authorization: `Bearer ${accessToken}`,
          ...(body !== null && { 'content-type': 'application/json' }),
        },
      });
      response.textContent = readable(await received.text());
      response.hidden = response.textContent === '';
      status.textContent = `${received.status} ${received.statusText}`.trim();
      status.className = received.ok ? 'good' : 'bad';
    } catch {
      response.hidden = true;
      status.textContent = 'No response. Check your connection.';
      status.className = 'bad';
    }
    send.disabled = false;
  }

  return form;
}

/** JSON with line breaks; other text unchanged. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function labeled(name: string, field: HTMLElement): HTMLElement {
  const label = element('label', {});
  label.append(element('span', { textContent: name }), field);
  return label;
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
