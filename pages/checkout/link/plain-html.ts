/** What @lit-labs/ssr writes for hydration and for shadow roots, all of which our pages do without. */
const markers =
  /<!--\/?lit-(?:part|node)[^>]*-->|<template shadowroot="open" shadowrootmode="open">|<\/template>|<\?>| defer-hydration(?=>)/g;

/**
 * The HTML of elements that draw into their light DOM, from what the renderer wrote for shadow
 * roots. Safe on text of people: there `<` and `>` stand escaped, and every marker has one of them.
 */
export function plainHtml(rendered: string): string {
  return rendered.replace(markers, '');
}
