/** The buyer's way back to the merchant: a link, or a form that is posted. */
export interface Navigation {
  method: 'GET' | 'POST';
  /** Has the parameters of a GET. */
  url: string;
  /** The parameters, as names and values, for both methods. */
  fields: Readonly<Record<string, string>>;
}

/** Response of a vendor's page to the browser. */
export type PageResponse = { kind: 'html'; html: string } | { kind: 'return'; navigation: Navigation };

/** Adds parameters to a return URL, or puts them into a form. */
export function returnTo(url: string, fields: Record<string, string>, method: 'GET' | 'POST' = 'GET'): Navigation {
  if (method === 'POST') return { method, url, fields };
  const address = new URL(url);
  for (const [name, value] of Object.entries(fields)) address.searchParams.append(name, value);
  return { method, url: address.href, fields };
}

/** A page with the buyer's choices. Each action is a button that posts its name. */
export function decisionPage(title: string, amount: string, actions: Readonly<Record<string, string>>): string {
  const buttons = Object.entries(actions).map(
    ([name, label]) => `<button name="action" value="${escaped(name)}">${escaped(label)}</button>`,
  );
  return page(title, `<p>${escaped(amount)}</p><form method="post">${buttons.join(' ')}</form>`);
}

/** A form with the parameters, which the browser posts immediately. */
export function postPage({ url, fields }: Navigation): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  const form = `<form method="post" action="${escaped(url)}">${inputs.join('')}<button>Continue</button></form>`;
  return page('Return to the shop', `${form}<script>document.forms[0].submit()</script>`);
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><main><h1>${escaped(title)}</h1>${content}</main></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
