import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

/*
 * Passkeys as this browser has them. What the service sends and takes are the JSON forms of WebAuthn
 * Level 3, which it looks into itself; here they pass through.
 */

type Options = Record<string, unknown>;
export type PasskeyResponse = { id: string; type: 'public-key' } & Record<string, unknown>;

/** What is outside of the page; replaced in tests. */
export interface Passkeys {
  isAvailable(): boolean;
  /** Whether the browser offers passkeys in the field for the e-mail address. */
  supportsAutofill(): Promise<boolean>;
  /** Asks for one of the person's passkeys; `isFilledIn` waits until one is chosen in the field. */
  get(options: Options, isAutofill?: boolean): Promise<PasskeyResponse>;
  create(options: Options): Promise<PasskeyResponse>;
}

export const browserPasskeys: Passkeys = {
  isAvailable: browserSupportsWebAuthn,
  supportsAutofill: browserSupportsWebAuthnAutofill,
  async get(options, isAutofill = false) {
    const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
    return toPasskeyResponse(await startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }));
  },
  async create(options) {
    const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
    return toPasskeyResponse(await startRegistration({ optionsJSON }));
  },
};

function toPasskeyResponse(response: object): PasskeyResponse {
  return response as PasskeyResponse;
}

/** Why nothing came of asking for a passkey; null where something else happened. */
export function passkeyFailure(error: unknown): 'cancelled' | 'known' | 'aborted' | 'failed' | null {
  if (error instanceof WebAuthnError && error.code === 'ERROR_CEREMONY_ABORTED') return 'aborted';
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known';
  if (!(error instanceof Error)) return null;
  if (error.name === 'AbortError') return 'aborted';
  if (error.name === 'NotAllowedError') return 'cancelled';
  return error instanceof WebAuthnError || error instanceof DOMException ? 'failed' : null;
}
