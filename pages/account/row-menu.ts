import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

interface RowAction {
  /** Identifies the action within the menu. */
  value: string;
  text: string;
  icon: string;
  isDestructive?: boolean;
  act: () => unknown;
}

/** The menu's components, which the user menu has already loaded on wide screens. */
const loadMenu = async () => await import('./user-menu.ts');

/** A menu with the less frequent actions of a row. */
export function rowMenu(name: string, actions: readonly RowAction[], isDisabled = false): TemplateResult {
  void loadMenu();
  const handleSelect = ({ detail }: CustomEvent<{ item: { value: string } }>) =>
    void actions.find(({ value }) => value === detail.item.value)?.act();
  return html`<wa-dropdown placement="bottom-end" @wa-select=${handleSelect}>
    <wa-button class="icon-button" slot="trigger" appearance="plain" .disabled=${isDisabled}
      >${icon('ellipsis')}<span class="visually-hidden">${name}</span></wa-button
    >
    ${actions.map(
      ({ value, text, icon: iconName, isDestructive }) =>
        html`<wa-dropdown-item value=${value} variant=${isDestructive ? 'danger' : 'default'}
          ><span slot="icon">${icon(iconName)}</span>${text}</wa-dropdown-item
        >`,
    )}
  </wa-dropdown>`;
}
