import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CallbackEndpoint, RotateCallbackSecretAnswer, TestCallbackAnswer } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { may } from '../context.ts';
import { focusMistake, given, textField } from '../fields.ts';
import { answerShown } from './answer-shown.ts';
import { secretShown } from '../secret-shown.ts';
import { Turns } from '../turns.ts';
import { asProblem } from '../problems.ts';
import { choiceList } from '../choices.ts';
import { button, notice, section, tag } from '../parts.ts';

/**
 * Where callbacks go, how their receiver does, and the secret that signs them.
 *
 * @fires receiver-change - what is known of the receiver is another now
 */
@customElement('callback-section')
export class CallbackSection extends AccountElement {
  @property({ attribute: false }) receiver!: CallbackEndpoint;

  @state() private mistake: string | null = null;
  @state() private tested: TestCallbackAnswer | null = null;
  @state() private rotated: RotateCallbackSecretAnswer | null = null;

  readonly #turns = new Turns(this);

  async #do(name: string, act: () => Promise<void>) {
    await this.#turns.take(name, async () => {
      try {
        await act();
      } catch (error) {
        const problem = asProblem(error);
        const ofField = problem.errors[0]?.detail;
        if (name.startsWith('save') && ofField !== undefined) this.mistake = ofField;
        else this.sayProblem(problem);
      }
    });
    await this.updateComplete;
    focusMistake(this);
  }

  async #save(event: SubmitEvent) {
    event.preventDefault();
    const url = given(new FormData(event.target as HTMLFormElement), 'url') || null;
    this.mistake = null;
    await this.#do(`save ${url ?? ''}`, async () => await this.#set(url, this.text('integration.url_saved')));
  }

  /** An address that is set once more switches the receiver on. */
  async #set(url: string | null, said: string) {
    await this.context.api.setPreferences({ preferences: [{ key: 'callback-url', value: url }] });
    this.tested = null;
    this.context.say(said);
    this.emit('receiver-change', null);
  }

  async #test() {
    await this.#do('test', async () => {
      this.tested = await this.context.api.testCallback();
      this.context.say(this.text(this.tested.delivered ? 'integration.test_arrived' : 'integration.test_failed'));
      this.emit('receiver-change', null);
    });
  }

  async #rotate() {
    if (this.#turns.has('rotate')) return;
    const answer = await this.context.ask({
      heading: this.text('integration.rotate_title'),
      text: this.text('integration.rotate_text'),
      fields: choiceList({
        ...{ legend: this.text('integration.keep_old'), isLegendHidden: true, name: 'keep', chosen: '24' },
        options: ['24', '168', '0'].map((hours) => ({ value: hours, text: this.text(`integration.keep_${hours}`) })),
      }),
      confirm: this.text('integration.rotate'),
      isGrave: true,
    });
    if (answer === null) return;
    await this.#do('rotate', async () => {
      const keep = Number(given(answer, 'keep') || 24);
      this.rotated = await this.context.api.rotateCallbackSecret({ keep_hours: keep });
      await this.updateComplete;
      this.querySelector<HTMLElement>('#new-callback-secret')?.focus();
    });
  }

  override render() {
    const canSet = may(this.context, 'preference:write');
    return html`<section class="section" aria-labelledby="callbacks">
        <h2 class="section-heading" id="callbacks">${this.text('integration.callbacks')}</h2>
        <p class="section-text">${this.text('integration.callbacks_text')}</p>
        <div class="panel panel-body">
          <form class="adding-row" novalidate @submit=${(event: SubmitEvent) => void this.#save(event)}>
            ${textField({
              ...{ id: 'callback-url', name: 'url', label: this.text('integration.url'), type: 'url', dir: 'ltr' },
              ...{ placeholder: 'https://shop.example/callbacks', value: this.receiver.url ?? '' },
              ...{ isReadOnly: !canSet, mistake: this.mistake },
            })}
            ${canSet ? button(this.text('integration.save'), null, { isBusy: this.#turns.has('save') }) : nothing}
          </form>
          ${this.#state()}
          ${
            may(this.context, 'callback:send') && this.receiver.url !== null
              ? html`<div class="row-actions">
                  ${button(this.text('integration.test'), () => void this.#test(), { icon: 'send', isBusy: this.#turns.has('test') })}
                </div>`
              : nothing
          }
          ${this.tested === null ? nothing : this.#testedShown(this.tested)}
        </div>
      </section>
      ${may(this.context, 'callback:manage') ? this.#secret() : nothing}`;
  }

  /** How the receiver does, in a word and a sentence. */
  #state() {
    const { url, disabled_at: off, disabled_reason: reason, failing_since: failing } = this.receiver;
    const { format } = this.context;
    if (url === null) return html`<p class="hint">${this.text('integration.no_url')}</p>`;
    if (off !== null)
      return notice({
        ...{ icon: 'pause', tone: 'bad' },
        heading: html`${this.text('integration.receiver_off')} ${format.ago(off)}`,
        text: this.text(`integration.off_${reason ?? 'no_success'}`),
        action: may(this.context, 'preference:write')
          ? button(
              this.text('integration.switch_on'),
              () => void this.#do('on', async () => await this.#set(url, this.text('integration.switched_on'))),
              { isBusy: this.#turns.has('on') },
            )
          : nothing,
      });
    if (failing !== null)
      return html`<p class="receiver-state">
        ${tag(this.text('integration.receiver_failing'), 'warn', 'triangle-alert')}
        <span>${this.text('integration.failing_since')} ${format.ago(failing)}. ${this.text('integration.failing_text')}</span>
      </p>`;
    return html`<p class="receiver-state">
      ${tag(this.text('integration.receiver_on'), 'good', 'check')}
    </p>`;
  }

  #testedShown(tested: TestCallbackAnswer) {
    return html`<div class="tested">
      <p>
        ${tag(this.text(tested.delivered ? 'integration.test_arrived' : 'integration.test_failed'), tested.delivered ? 'good' : 'bad', tested.delivered ? 'check' : 'x')}
      </p>
      ${answerShown(this.i18n, this.context.format, tested)}
    </div>`;
  }

  #secret() {
    const { rotated } = this;
    return section(
      'secret',
      this.text('integration.secret'),
      html`<p class="section-text">${this.text('integration.secret_text')}</p>
      <div class="panel panel-body">
        ${
          rotated === null
            ? html`<div class="secret-row">
                <code aria-hidden="true">whsec_••••••••••••</code>
                ${button(this.text('integration.rotate'), () => void this.#rotate(), { icon: 'refresh-cw', isBusy: this.#turns.has('rotate') })}
              </div>`
            : secretShown(this.i18n, {
                ...{ id: 'new-callback-secret', label: this.text('integration.new_secret') },
                value: rotated.callback_secret,
                text: this.text('integration.new_secret_text', {
                  until: this.context.format.momentText(rotated.previous_valid_until),
                }),
                close: () => (this.rotated = null),
              })
        }
      </div>`,
    );
  }
}
