import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { PayFormAttributes } from './attributes.ts';
import type { BillingDetails, PayForm, PayFormEventMap } from './pay-form.ts';

export type { PayFormAttributes } from './attributes.ts';
export * from './pay-form.ts';

export type PayFormProps = HTMLAttributes &
  PublicProps &
  PayFormAttributes & {
    noButton?: boolean | undefined;
    billing?: BillingDetails | null | undefined;
  };

/** Types for template checks; the element has neither of these members. */
interface TemplateTypes {
  $props: PayFormProps;
  $emit: EmitFn<{ [Type in keyof PayFormEventMap]: (event: PayFormEventMap[Type]) => void }>;
}

declare module 'vue' {
  interface GlobalComponents {
    'pay-form': new () => PayForm & TemplateTypes;
  }
}
