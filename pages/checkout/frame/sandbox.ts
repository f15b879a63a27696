import { html } from 'lit';
import { testCards, testPayer } from '../../../src/shared/test-cards.ts';
import type { CardFrame } from './card-frame.ts';

/*
 * Sandbox test cards, filled in with one click. A separate file that production neither references nor serves.
 * English only, for developers.
 */

const cards = [
  ['Approved', testCards.approve],
  ['3-D Secure', testCards.challenge],
  ['3-D Secure, frictionless', testCards.frictionless],
  ['Declined', testCards.decline],
  ['No funds', testCards.insufficient_funds],
  ['Expired card', testCards.expired_card],
  ['Unknown outcome', testCards.unknown],
] as const;

/** One line of whole buttons, as the element reserves no more height; all lines on request. Not in the frame's style: production has no use for it. */
const style = new CSSStyleSheet();
style.replaceSync(`
.test-cards {
  display: flex;
  gap: 8px;
  min-inline-size: 0;
  font-size: 0.8125rem;
  line-height: 2rem;
  white-space: nowrap;
}

.test-cards-label {
  color: var(--ink-2);
}

.test-cards-list {
  display: flex;
  flex: 1;
  flex-wrap: wrap;
  gap: 8px;
  min-inline-size: 0;
}

.test-cards:not([data-open]) .test-cards-list {
  block-size: 2rem;
  overflow: clip;
}

.test-card {
  min-block-size: 2rem;
  padding: 0 10px;
  border: 1px dashed var(--field-line);
  border-radius: var(--radius-small);
  background: transparent;
  color: inherit;
  font: inherit;
  line-height: 1.5;
  cursor: pointer;
}

.test-cards[data-open] .test-cards-more {
  display: none;
}

.test-card:hover {
  border-style: solid;
}

.test-card:focus-visible {
  outline-offset: -2px;
}
`);
document.adoptedStyleSheets.push(style);

const frame = document.querySelector<CardFrame>('card-frame');
if (frame)
  frame.footer = html`<div class="test-cards" dir="ltr" @focusin=${showAll}>
  <span class="test-cards-label">Sandbox</span>
  <div class="test-cards-list" role="group" aria-label="Sandbox: test cards">
    ${cards.map(
      ([label, number]) =>
        html`<button type="button" class="test-card" @click=${() => fill(frame, number)}>${label}</button>`,
    )}
  </div>
  ${/* Not a tab stop: a card focused by keyboard shows all. */ ''}
  <button type="button" class="test-card test-cards-more" tabindex="-1" aria-label="More test cards" @click=${showAll}>More</button>
</div>`;

function showAll({ type, target }: Event) {
  const button = target as Element;
  if (type === 'click' || button.matches(':focus-visible'))
    button.closest('.test-cards')?.toggleAttribute('data-open', true);
}

function fill(frame: CardFrame, number: string) {
  const expiry = `04 / ${(new Date(frame.wallClock()).getUTCFullYear() + 3) % 100}`;
  frame.cardForm?.fill({ card_number: number, card_expiry: expiry, ...testPayer });
}
