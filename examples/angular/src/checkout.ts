import { Component, CUSTOM_ELEMENTS_SCHEMA, resource, signal } from '@angular/core';
import { createPayment, isPaid } from './payments';

@Component({
  selector: 'shop-checkout',
  // Allows elements that are not Angular's, such as <pay-form>.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Two cups, $12.50</h1>
      <p role="status">{{ message() }}</p>
      @if (payment.error(); as error) {
        <p role="alert">{{ error.message }}. Try again in a moment.</p>
      } @else if (payment.value(); as created) {
        <pay-form
          [attr.src]="created.embedUrl"
          (pay-success)="onSuccess($event)"
          (pay-decline)="onDecline($event)"
        ></pay-form>
      }
    </main>
  `,
})
export class Checkout {
  readonly payment = resource({ loader: createPayment });
  readonly message = signal('');

  async onSuccess(event: Event) {
    const { detail } = event as CustomEvent<{ reference: string }>;
    this.message.set(
      (await isPaid(detail.reference)) ? 'Thank you. The cups are on their way.' : 'The payment is still pending.',
    );
  }

  onDecline(event: Event) {
    const { detail } = event as CustomEvent<{ attemptsLeft: number }>;
    this.message.set(`Your card was declined. Nothing was charged. Attempts left: ${detail.attemptsLeft}.`);
  }
}
