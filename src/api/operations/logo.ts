import { z } from 'zod';
import { logoResponse, setLogoRequest, LOGO_BODY_BYTES } from '../logo.ts';
import { operation } from '../operation.ts';

const example = {
  logo: {
    url: 'https://pay.example/logos/0a2d.png',
    ...{ width: 1, height: 1, uploaded_at: '2026-11-21T09:00:00.000000Z' },
  },
};
/** A green pixel. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGOQj/cCAAFpAMkwulAvAAAAAElFTkSuQmCC';

export const getLogo = operation({
  id: 'getLogo',
  method: 'GET',
  path: '/v1/merchant/logo',
  group: 'preferences',
  summary: 'Retrieve the logo',
  scope: 'preference:read',
  response: logoResponse,
  problems: [],
  examples: [{ summary: 'Before the first upload', response: { logo: null } }],
});

export const setLogo = operation({
  id: 'setLogo',
  method: 'POST',
  path: '/v1/merchant/logo',
  group: 'preferences',
  summary: 'Upload a logo',
  description:
    'Payment pages show it in place of the image at `brand-logo-url`. The image is re-encoded as PNG of at most 256 × 256 pixels, without metadata or animation. A new upload replaces it.',
  scope: 'preference:write',
  body: setLogoRequest,
  maxBodyBytes: LOGO_BODY_BYTES,
  response: logoResponse,
  problems: [],
  examples: [{ summary: 'PNG', body: { image }, response: example }],
});

export const removeLogo = operation({
  id: 'removeLogo',
  method: 'POST',
  path: '/v1/merchant/logo/remove',
  group: 'preferences',
  summary: 'Remove the logo',
  description: 'Payment pages then show the image at `brand-logo-url`, or the initial of the name.',
  scope: 'preference:write',
  body: z.strictObject({}),
  response: logoResponse,
  problems: [],
  examples: [{ summary: 'Uploaded logo', body: {}, response: { logo: null } }],
});
