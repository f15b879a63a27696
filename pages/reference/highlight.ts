import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { raw } from 'hono/html';

for (const [name, language] of Object.entries({ bash, json, php, python, typescript })) {
  highlighter.registerLanguage(name, language);
}

export type Grammar = 'bash' | 'json' | 'php' | 'python' | 'typescript';

/** Code as HTML with a `hljs-…` class for each token. The highlighter escapes the code. */
export function highlight(code: string, grammar: Grammar) {
  // The body of a curl command is JSON, which the shell's grammar would color as one string.
  const [, command, body] = (grammar === 'bash' && /^([^]* -d ')([{[][^]*)'$/.exec(code)) || [];
  if (command === undefined || body === undefined) return raw(tokens(code, grammar));
  return raw(`${tokens(command.slice(0, -1), 'bash')}'${tokens(body, 'json')}'`);
}

function tokens(code: string, grammar: Grammar): string {
  return highlighter.highlight(code, { language: grammar }).value;
}
