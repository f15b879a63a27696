/** Markers that @lit-labs/ssr writes for hydration and shadow roots. */
const markers =
  /<!--\/?lit-(?:part|node)[^>]*-->|<template shadowroot="open" shadowrootmode="open">|<\/template>|<\?>| defer-hydration(?=>)/g;

/**
 * Removes markers for hydration and shadow roots from server-rendered HTML. Safe for user input: `<` and `>` are
 * escaped there, and every marker contains one.
 */
export function plainHtml(rendered: string): string {
  return rendered.replace(markers, '');
}
