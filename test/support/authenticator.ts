import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The options of `navigator.credentials` that an authenticator uses. */
interface CredentialOptions {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
}

const UP_AND_UV = 0x05;
const WITH_KEY = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

function bytes(content: Buffer): Buffer {
  const head = content.length < 256 ? Buffer.from([0x58, content.length]) : Buffer.from([0x59, 0, 0]);
  if (content.length >= 256) head.writeUInt16BE(content.length, 1);
  return Buffer.concat([head, content]);
}

function word(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

/** A passkey on its own device (WebAuthn Level 3, section 6), in a browser on pages of `origin`. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  #counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    // RFC 9053, section 7.1.1: kty EC2, alg ES256, crv P-256, x, y.
    this.#publicKey = Buffer.concat([
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, 'base64url')),
    ]);
  }

  /** Responds to `create`. */
  make({ challenge, rp }: CredentialOptions, origin: string): object {
    const id = Buffer.from(this.id, 'base64url');
    const data = Buffer.concat([
      this.#head(rp?.id ?? '', UP_AND_UV | WITH_KEY),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      this.#publicKey,
    ]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[word('fmt'), word('none'), word('attStmt'), Buffer.from([0xa0]), word('authData'), bytes(data)],
    ]);
    return this.#respond({
      clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Responds to `get`. */
  sign({ challenge, rpId }: CredentialOptions, origin: string): object {
    this.#counter += 1;
    const data = this.#head(rpId ?? '', UP_AND_UV);
    const client = clientData('webauthn.get', challenge, origin);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#key);
    return this.#respond({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #head(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }

  #respond(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} };
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
