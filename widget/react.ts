import type { CSSProperties, DetailedHTMLProps, HTMLAttributes } from 'react';
import type { PayFormAttributes, PayFormTokens } from './attributes.ts';
import type { BillingDetails, PayForm, PayFormEventMap } from './pay-form.ts';

export type { PayFormAttributes, PayFormTokens } from './attributes.ts';
export * from './pay-form.ts';

/** React adds a listener for every property that begins with `on`, for the event named by the rest. */
type Listeners = {
  [Type in keyof PayFormEventMap as `on${Type}`]?: ((event: PayFormEventMap[Type]) => void) | undefined;
};

export interface PayFormProps
  extends Omit<DetailedHTMLProps<HTMLAttributes<PayForm>, PayForm>, 'style'>,
    PayFormAttributes,
    Listeners {
  /** The attribute instead of the property, because server rendering can only write attributes. */
  'no-button'?: boolean | undefined;
  billing?: BillingDetails | null | undefined;
  style?: (CSSProperties & PayFormTokens) | undefined;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-form': PayFormProps;
    }
  }
}
