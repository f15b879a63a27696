import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';

/*
 * Passkeys of this browser. The service sends and accepts the JSON forms of WebAuthn Level 3 and validates them;
 * this module passes them through.
 */

type Options = Record<string, unknown>;
type PasskeyResponse = { id: string; type: 'public-key' } & Record<string, unknown>;

/** Browser APIs; replaced in tests. */
export interface Passkeys {
  isAvailable(): boolean;
  /** Resolves to true if the browser offers passkeys in the email field. */
  supportsAutofill(): Promise<boolean>;
  /** Requests a passkey; with `isAutofill`, waits until the user selects one in the field. */
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

/** Classifies a failed passkey request; null if the error has another cause. */
export function passkeyFailure(error: unknown): 'cancelled' | 'known' | 'aborted' | 'failed' | null {
  if (error instanceof WebAuthnError && error.code === 'ERROR_CEREMONY_ABORTED') return 'aborted';
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known';
  if (!(error instanceof Error)) return null;
  if (error.name === 'AbortError') return 'aborted';
  if (error.name === 'NotAllowedError') return 'cancelled';
  return error instanceof WebAuthnError || error instanceof DOMException ? 'failed' : null;
}
