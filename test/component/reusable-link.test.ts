import { expect } from 'chai';

describe('the page of a reusable link', () => {
  after(() => document.body.replaceChildren());

  it('disables a step at the limit of the quantity', async () => {
    document.body.innerHTML = `<form data-currency="USD" data-unit="42.00">
      <button type="button" data-step="-1" hidden>−</button>
      <input class="field" name="quantity" value="1" min="1" max="3" />
      <button type="button" data-step="1" hidden>+</button>
    </form>`;
    await import('../../pages/checkout/reusable-link/client.ts');
    const [fewer, more] = document.querySelectorAll('button');
    const states = () => [document.querySelector('input')?.value, fewer?.disabled, more?.disabled];
    expect(states()).to.deep.equal(['1', true, false]);
    more?.click();
    expect(states()).to.deep.equal(['2', false, false]);
    more?.click();
    expect(states()).to.deep.equal(['3', false, true]);
    fewer?.click();
    fewer?.click();
    expect(states()).to.deep.equal(['1', true, false]);
  });
});
